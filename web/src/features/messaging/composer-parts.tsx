import { rarePart } from '../../shared/lib/rare-part.tsx'
import type { ChatBarProps } from '../conversation-options/ChatBar.tsx'
import type { BarProps } from '../conversation-options/StateBars.tsx'
import type { DroppedFileProps } from '../media/DroppedFile.tsx'
import type { SendMediaOptions } from '../media/send-media.ts'
import type { Upload } from '../media/uploads.ts'
import type { PartnerProps } from '../sealed/rare-parts.tsx'
import type { MessageActionsProps } from './MessageActions.tsx'
import type { PendingRowProps } from './PendingRow.tsx'

const load = () => import('./composer-chunk.ts')
export const DroppedFile = rarePart<DroppedFileProps>(async () => (await load()).DroppedFile)
export const UploadBubble = rarePart<{ upload: Upload }>(async () => (await load()).UploadBubble)
export const VoiceButton = rarePart<{ options: SendMediaOptions }>(async () => (await load()).VoiceButton)
export const LimitReached = rarePart<object>(async () => (await load()).LimitReached)
export const BlockedBar = rarePart<BarProps>(async () => (await load()).BlockedBar)
export const RequestBar = rarePart<BarProps>(async () => (await load()).RequestBar)
export const ChatBar = rarePart<ChatBarProps>(async () => (await load()).ChatBar)
export const MessageActions = rarePart<MessageActionsProps>(async () => (await load()).MessageActions)
// The list of messages never shows a row that had no height.
export const PendingRow = rarePart<PendingRowProps>(
  async () => (await load()).PendingRow,
  <div className="h-11" />,
)
export const SealingNotice = rarePart<PartnerProps>(async () => (await load()).SealingNotice)
export const UnsentNote = rarePart<object>(async () => (await load()).UnsentNote)
