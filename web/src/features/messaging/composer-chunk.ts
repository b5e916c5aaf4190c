// One chunk, which the chat loads after its first paint.
export { LimitReached } from './LimitReached.tsx'
export { UploadBubble } from '../media/UploadBubble.tsx'
export { VoiceButton } from '../media/voice/VoiceButton.tsx'
