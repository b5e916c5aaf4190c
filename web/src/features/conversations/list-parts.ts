// These parts form a chunk that the list loads after its first paint.
export { NewConversationDialog } from './NewConversationDialog.tsx'
export { SearchField } from './SearchField.tsx'
