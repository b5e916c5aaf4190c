// One chunk with the dialogs that a chat opens on request.
export { BlockDialog } from './BlockDialog.tsx'
export { DeleteDialog } from './DeleteDialog.tsx'
export { ReportDialog } from './ReportDialog.tsx'
