import type { Message } from '@sumlock/contracts/messaging-routes'
import type { OverviewItem } from '../media/overview/overview-item.ts'
import { closedSentence, formerKeySentence } from '../sealed/closed-sentence.ts'
import { textOf } from '../sealed/look.ts'
import { toMediaInfo } from '../sealed/media-info.ts'
import { checkReceived } from './receiving-rules.ts'
import type { CheckedMessage } from './receiving-rules.ts'

/** Returns the media of these messages for the overview, newest first. */
export function overviewItems(
  messages: readonly Message[],
  { userId, name }: { userId: string; name: string },
): OverviewItem[] {
  const items = checkReceived({ messages, isWhole: false }).flatMap((one): OverviewItem[] => {
    const { message, look, isFormer } = one
    const { id, messageType: type, mediaUrl, senderId, createdAt } = message
    if (type === 'text' || mediaUrl === null || message.isOnce) return []
    const media = look.state === 'open' && !isFormer ? toMediaInfo(look.body.media, type) : undefined
    const caption = isFormer ? '' : (textOf(look, message) ?? '').trim()
    const sender = senderId === userId ? 'You' : name
    const refusal = refusalOf(one, name) ?? (message.sealed && !media ? 'This file can’t be shown' : null)
    return [{ id, type, mediaUrl, media, caption, sender, atMs: Date.parse(createdAt), refusal }]
  })
  return items.reverse()
}

function refusalOf({ look, isFormer }: CheckedMessage, name: string): string | null {
  if (isFormer) return formerKeySentence
  return look.state === 'closed' ? closedSentence(look.why, name) : null
}
