import type { MemberRecord } from './member.ts'
import { toMessageFor, toPreview } from './message.ts'
import type { MessageRecord } from './message.ts'
import { isOver, lifetimeOf } from './vanishing.ts'

const dayMs = 86_400_000
const createdAt = new Date(1_000_000)
const at = (ms: number) => new Date(createdAt.getTime() + ms)
const plain: MessageRecord = {
  ...{ _id: 'c:0000000004', messageId: 'm', conversationId: 'c', senderId: 'ann', memberIds: ['ann', 'ben'] },
  ...{ seq: 4, clientMessageId: 'k', content: 'secret', messageType: 'image', mediaUrl: '/a' },
  ...{ createdAt, counts: [3, 1], version: 2, sealed: { v: 1, from: 1, to: 1 } },
  ...{ edit: { id: 'act', at: at(1), count: 1 }, reactions: { recipient: { id: 'r', content: '👍' } } },
}
const unread: MessageRecord = { ...plain, ...lifetimeOf(30_000, false, createdAt) }
const { isUnseen: _isUnseen, ...seen } = unread
const read: MessageRecord = { ...seen, vanishAt: at(40_000) }
const viewer = (personId: string) =>
  ({ personId, readSeq: 0, otherReadSeq: 0, clearedSeq: 0 }) as unknown as MemberRecord

it('a message vanishes for its sender at the exact end of its time, and for its recipient at their own', () => {
  expect(isOver('ann', unread, at(29_999))).toBe(false)
  expect(isOver('ann', unread, at(30_000))).toBe(true)
  expect(isOver('ben', read, at(39_999))).toBe(false)
  expect(isOver('ben', read, at(40_000))).toBe(true)
})

it('a message that is not read vanishes for its recipient after exactly 30 days', () => {
  expect(isOver('ben', unread, at(30 * dayMs - 1))).toBe(false)
  expect(isOver('ben', unread, at(30 * dayMs))).toBe(true)
})

it('a hidden message vanishes for both at the same time', () => {
  const hidden: MessageRecord = { ...plain, isHidden: true, ...lifetimeOf(30_000, true, createdAt) }
  expect(hidden).not.toHaveProperty('isUnseen')
  expect(['ann', 'ben'].map((personId) => isOver(personId, hidden, at(29_999)))).toEqual([false, false])
  expect(['ann', 'ben'].map((personId) => isOver(personId, hidden, at(30_000)))).toEqual([true, true])
})

it('a message without a time has none of the fields and never vanishes', () => {
  expect(lifetimeOf(undefined, false, createdAt)).toEqual({})
  expect(isOver('ann', plain, at(1000 * dayMs))).toBe(false)
})

it('a vanished message shows that it vanished, its place and its version, and nothing else', () => {
  const shown = toMessageFor(viewer('ben'), read, at(40_000))
  const {
    content: _content,
    sealed: _sealed,
    edit: _edit,
    reactions: _reactions,
    ...place
  } = toMessageFor(viewer('ben'), plain, createdAt)
  expect(shown).toEqual({ ...place, content: '', messageType: 'text', mediaUrl: null, isVanished: true })
  expect(toPreview(viewer('ben'), read, at(40_000))).toEqual({
    ...{ content: '', messageType: 'text', senderId: 'ann', seq: 4, clientMessageId: 'k' },
    ...{ isRead: false, isVanished: true },
  })
})

it('only the recipient is shown when a message vanishes, and only once it was read', () => {
  const end = at(40_000).toISOString()
  for (const show of [toMessageFor, toPreview]) {
    expect(show(viewer('ben'), read, createdAt)).toMatchObject({ vanishMs: 30_000, vanishAt: end })
    expect(show(viewer('ben'), unread, createdAt)).not.toHaveProperty('vanishAt')
    expect(show(viewer('ann'), read, createdAt)).toMatchObject({ vanishMs: 30_000, content: 'secret' })
    expect(show(viewer('ann'), read, createdAt)).not.toHaveProperty('vanishAt')
  }
})

it('an own version of a message stays when it vanishes for the one who made it', () => {
  const reaction = { id: 's', content: '🙂' }
  const changed: MessageRecord = { ...read, own: { sender: { version: 7, reaction } } }
  expect(toMessageFor(viewer('ann'), changed, at(30_000))).toMatchObject({ version: 7, isVanished: true })
})

it('a hidden message shows the blocker nothing of its time, and no end of it', () => {
  const hidden: MessageRecord = { ...plain, isHidden: true }
  const tombstone = toMessageFor(viewer('ben'), hidden, createdAt)
  const vanishing = { ...hidden, ...lifetimeOf(30_000, true, createdAt) }
  expect(toMessageFor(viewer('ben'), vanishing, createdAt)).toEqual(tombstone)
  expect(toMessageFor(viewer('ben'), vanishing, at(30_000))).toEqual(tombstone)
  const erased = { ...hidden, content: '', mediaUrl: null, isVanished: true as const }
  expect(toMessageFor(viewer('ben'), erased, at(60_000))).toEqual(tombstone)
})
