import type { MessageRecord } from './message.ts'
import { isReading, onceShownTo } from './once.ts'

const endMs = 600_000
const unlockedAt = new Date(7)
const by = { sessionId: 's1', unlockedAt }
const unopened: MessageRecord = {
  ...{ _id: 'c:0000000004', messageId: 'm', conversationId: 'c', senderId: 'ann', memberIds: ['ann', 'ben'] },
  ...{ seq: 4, clientMessageId: 'k', content: 'old', messageType: 'voice', mediaUrl: '/file' },
  ...{ createdAt: new Date(0), counts: [3, 1], isOnce: true, vanishAt: new Date(endMs) },
}
const opened: MessageRecord = { ...unopened, open: { isTold: false, by } }
const erased: MessageRecord = {
  ...unopened,
  ...{ content: '', mediaUrl: null, isVanished: true, open: { isTold: false } },
}

it.each([
  ['the session that opened it, until its end', opened, by, endMs - 1, true],
  ['nobody from its end on', opened, by, endMs, false],
  ['no other session of the same moment', opened, { ...by, sessionId: 's2' }, 0, false],
  ['no later unlock of the session', opened, { ...by, unlockedAt: new Date(8) }, 0, false],
  ['no session whose token does not name its unlock', opened, { ...by, unlockedAt: null }, 0, false],
  ['nobody before it is opened', unopened, by, 0, false],
  ['nobody once it is erased', erased, by, 0, false],
])('a message that opens once is read by %s', (_whom, record, reader, nowMs, isRead) => {
  expect(isReading(record, reader, new Date(nowMs))).toBe(isRead)
})

it('looks the same to its sender before and after an opening of which the sender is not told, and erased', () => {
  const { vanishAt: _vanishAt, ...rest } = unopened
  const shown = { ...rest, content: '', mediaUrl: null }
  for (const record of [unopened, opened, erased])
    for (const nowMs of [0, endMs]) expect(onceShownTo('ann', record, new Date(nowMs))).toEqual(shown)
})
