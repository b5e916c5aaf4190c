// One chunk contains the dialogs that a chat opens on request.
export { BlockDialog } from './BlockDialog.tsx'
export { DeleteDialog } from './DeleteDialog.tsx'
export { OptionsSheet } from './OptionsSheet.tsx'
export { ReportDialog } from './ReportDialog.tsx'
export { TimerDialog } from './TimerDialog.tsx'
