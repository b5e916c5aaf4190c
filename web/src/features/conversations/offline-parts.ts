// These parts form a chunk that the chat loads after its first paint.
export { createChangesPoller } from './changes-poller.ts'
export { createSessionCheck } from './session-check.ts'
export { ConnectionBar } from './ConnectionBar.tsx'
