import type { Message } from '@sumlock/contracts/messaging-routes'
import type { OverviewItem } from '../media/overview/overview-item.ts'
import { closedSentence, formerKeySentence } from '../sealed/closed-sentence.ts'
import { textOf } from '../sealed/look.ts'
import { toMediaInfo } from '../sealed/media-info.ts'
import type { MediaInfo } from '../sealed/media-info.ts'
import { shownText } from './message-text.ts'
import { checkReceived } from './receiving-rules.ts'
import type { CheckedMessage } from './receiving-rules.ts'

interface Names {
  userId: string
  /** The name of the other person. */
  name: string
}

/**
 * Returns a function that returns the media of messages for the overview, newest first. A description stays the same
 * object, because a new one would open the picture again and end the playing of a voice message.
 */
export function createOverview(): (messages: readonly Message[], names: Names) => OverviewItem[] {
  const checked = new WeakMap<object, MediaInfo>()
  const infoOf = (media: unknown, type: OverviewItem['type']) => {
    const isObject = typeof media === 'object' && media !== null
    const info = (isObject ? checked.get(media) : undefined) ?? toMediaInfo(media, type)
    if (isObject && info) checked.set(media, info)
    return info
  }
  return (messages, { userId, name }) => {
    const items = checkReceived({ messages, isWhole: false }).flatMap((one): OverviewItem[] => {
      const { message, look, isFormer } = one
      const { id, messageType: type, mediaUrl, senderId, createdAt } = message
      if (type === 'text' || mediaUrl === null || message.isOnce) return []
      const media = look.state === 'open' && !isFormer ? infoOf(look.body.media, type) : undefined
      const caption = isFormer ? '' : shownText(textOf(look, message) ?? '').trim()
      const sender = senderId === userId ? 'You' : name
      const refusal = refusalOf(one, name) ?? (message.sealed && !media ? 'This file can’t be shown' : null)
      return [{ id, type, mediaUrl, media, caption, sender, atMs: Date.parse(createdAt), refusal }]
    })
    return items.reverse()
  }
}

function refusalOf({ look, isFormer }: CheckedMessage, name: string): string | null {
  if (isFormer) return formerKeySentence
  return look.state === 'closed' ? closedSentence(look.why, name) : null
}
