import { rarePart } from '../../shared/lib/rare-part.tsx'
import type { SendMediaOptions } from '../media/send-media.ts'
import type { Upload } from '../media/uploads.ts'

const load = () => import('./composer-chunk.ts')
export const UploadBubble = rarePart<{ upload: Upload }>(async () => (await load()).UploadBubble)
export const VoiceButton = rarePart<{ options: SendMediaOptions }>(async () => (await load()).VoiceButton)
export const LimitReached = rarePart<object>(async () => (await load()).LimitReached)
