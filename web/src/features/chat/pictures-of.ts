import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ViewedPicture } from '../media/view/viewed-picture.ts'
import { textOf } from '../sealed/look.ts'
import { toMediaInfo } from '../sealed/media-info.ts'
import { checkReceived } from './receiving-rules.ts'

/** Returns the pictures that the chat shows of these messages, oldest first. */
export function picturesOf(
  messages: readonly Message[],
  { userId, name }: { userId: string; name: string },
): ViewedPicture[] {
  return checkReceived({ messages, isWhole: false }).flatMap(({ message, look, isFormer, writtenAtMs }) => {
    const { id, messageType, mediaUrl, sealed, senderId, createdAt, isOnce } = message
    const text = isFormer ? null : textOf(look, message)
    if (messageType !== 'image' || mediaUrl === null || text === null || isOnce) return []
    const media = look.state === 'open' ? toMediaInfo(look.body.media, messageType) : undefined
    if (sealed && !media) return []
    const sender = senderId === userId ? 'You' : name
    return [
      { id, mediaUrl, media, caption: text.trim(), sender, sentAtMs: writtenAtMs ?? Date.parse(createdAt) },
    ]
  })
}
