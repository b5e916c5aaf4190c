import type { MessageRecord } from '../domain/message.ts'
import { lifetimeOf } from '../domain/vanishing.ts'
import { toSentEvent } from './sent-event.ts'

const createdAt = new Date(1_000_000)
const id = '0b8f5c1e-7a5d-4c35-9d53-0f6c1f1f6a10'
const later = (ms: number) => new Date(createdAt.getTime() + ms)
const unread: MessageRecord = {
  ...{ _id: 'c:1', messageId: id, conversationId: id, senderId: 'ann', memberIds: ['ann', 'ben'], seq: 1 },
  ...{ clientMessageId: 'k', content: 'secret', messageType: 'image', mediaUrl: '/secret', createdAt },
  ...{ counts: [1, 0], reactions: { recipient: { id: 'r', content: 'secret' } } },
  ...lifetimeOf(30_000, false, createdAt),
}

it('announces a message late with its content only while its recipient is shown it', () => {
  expect(toSentEvent(unread, later(60_000)).value).toContain('secret')
  const read: MessageRecord = { ...unread, vanishAt: later(60_000) }
  expect(toSentEvent(read, later(59_999)).value).toContain('secret')
  const over = toSentEvent(read, later(60_000)).value
  expect(over).toContain('"isVanished":true')
  expect(over).not.toContain('secret')
})
