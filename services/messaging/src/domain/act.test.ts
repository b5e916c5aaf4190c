import { inEyesOf, isEmpty, isOwnChange, isShownTo, isTooOld, unsent } from './act.ts'
import type { MemberRecord } from './member.ts'
import { advance, toMessageFor, toPreview } from './message.ts'
import type { MessageRecord } from './message.ts'

const record: MessageRecord = {
  ...{ _id: 'c:0000000004', messageId: 'm', conversationId: 'c', senderId: 'ann', memberIds: ['ann', 'ben'] },
  ...{ seq: 4, clientMessageId: 'k', content: 'old', messageType: 'text', mediaUrl: null },
  ...{ createdAt: new Date(0), counts: [3, 1], version: 2 },
}
const now = new Date(2000)
const edit = { id: 'act', at: new Date(1000), count: 1 }
const shownEdit = { id: 'act', at: new Date(1000).toISOString() }
const viewer = (personId: string) =>
  ({ personId, readSeq: 0, otherReadSeq: 0, clearedSeq: 0 }) as unknown as MemberRecord

it('an own edit is shown to its sender only, with its own version', () => {
  const edited = { ...record, own: { sender: { edited: { content: 'new', edit }, version: 7 } } }
  const view = (personId: string) => toMessageFor(viewer(personId), edited, now)
  expect(view('ann')).toMatchObject({ content: 'new', edit: shownEdit, version: 7 })
  expect(view('ben')).toEqual(toMessageFor(viewer('ben'), record, now))
  expect(toPreview(viewer('ann'), edited, now)).toMatchObject({ content: 'new', edit: shownEdit })
  expect(toPreview(viewer('ben'), edited, now)).toEqual(toPreview(viewer('ben'), record, now))
  expect(inEyesOf('ann', record)).toBe(record)
})

it('a hidden message shows the blocker no change of it', () => {
  const hidden = { ...record, isHidden: true as const }
  const before = toMessageFor(viewer('ben'), hidden, now)
  for (const changed of [
    { ...hidden, edit, version: 9 },
    { ...unsent(hidden), version: 9 },
  ])
    expect(toMessageFor(viewer('ben'), changed, now)).toEqual(before)
  expect(toMessageFor(viewer('ann'), unsent(hidden), now)).toMatchObject({ isUnsent: true, version: 2 })
})

it('a message that was taken back has no content, media, keys or edit', () => {
  const sealed = { v: 1 as const, from: 1, to: 1 }
  const own = { sender: { edited: { content: 'new', edit }, version: 7 } }
  const reactions = { recipient: { id: 'r', content: '👍' } }
  const taken = unsent({ ...record, mediaUrl: '/a', messageType: 'image', sealed, edit, own, reactions })
  expect(taken).toEqual({ ...record, content: '', isUnsent: true })
  expect(isEmpty(taken)).toBe(true)
  expect(isEmpty({ content: '', mediaUrl: '/a' })).toBe(false)
})

it('a message can be changed for exactly 24 hours', () => {
  expect(isTooOld(record, new Date(86_400_000))).toBe(false)
  expect(isTooOld(record, new Date(86_400_001))).toBe(true)
})

it('a member is shown changes of listed messages after those deleted, unless they are hidden', () => {
  const member = { isListed: true, clearedSeq: 3 }
  expect(isShownTo(member, record)).toBe(true)
  expect(isShownTo({ ...member, clearedSeq: 4 }, record)).toBe(false)
  expect(isShownTo({ ...member, isListed: false }, record)).toBe(false)
  expect(isShownTo(member, { ...record, isHidden: true })).toBe(false)
  expect(isShownTo(undefined, record)).toBe(false)
})

it('an edit is the sender’s own while the other member blocks, unless the message is hidden anyway', () => {
  expect(isOwnChange({ isBlocked: true }, record)).toBe(true)
  expect(isOwnChange({ isBlocked: true }, { isHidden: true })).toBe(false)
  expect(isOwnChange({}, record)).toBe(false)
  expect(isOwnChange(undefined, record)).toBe(false)
})

it('an unstored message takes a seq and counts as no message', () => {
  expect(advance(record, { senderId: 'ann', isUnstored: true })).toEqual({
    ...{ seq: 5, memberIds: record.memberIds, counts: [3, 1] },
  })
})
