import type { Message } from '@sumlock/contracts/messaging-routes'
import fc from 'fast-check'
import {
  applyRead,
  emptyList,
  hasGap,
  mergeFirstPage,
  mergeHints,
  mergeNextPage,
  mergeOlderPage,
} from './message-list.ts'
import type { MessageList } from './message-list.ts'

const message = (seq: number, senderId = 'ann'): Message => ({
  id: `m${seq}`,
  seq,
  senderId,
  conversationId: 'c',
  content: `text ${seq}`,
  messageType: 'text',
  mediaUrl: null,
  isRead: false,
  createdAt: '2026-11-20T00:00:00.000Z',
  clientMessageId: `k${seq}`,
})
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => message(from + index))
const seqs = (list: MessageList) => list.messages.map(({ seq }) => seq)
const mergeHint = (list: MessageList, hint: Message) => mergeHints(list, [hint])
const loaded = (from: number, to: number) => mergeFirstPage(emptyList, range(from, to), 50)

describe('a message list', () => {
  it('starts with the newest page', () => {
    expect(loaded(1, 3)).toMatchObject({ watermark: 3, loaded: true, hasOlder: false })
    expect(mergeFirstPage(emptyList, range(11, 60), 50)).toMatchObject({ watermark: 60, hasOlder: true })
    expect(mergeFirstPage(emptyList, range(1, 50), 50).hasOlder).toBe(false)
  })

  it('keeps an opened message without content, whatever its version', () => {
    const whole: Message = { ...message(1), isOnce: true, version: 3 }
    const opened: Message = { ...whole, content: '', isOpened: true, version: 2 }
    const list = mergeHint(mergeFirstPage(emptyList, [whole], 50), opened)
    expect(list.messages).toEqual([opened])
    expect(mergeHint(list, { ...whole, version: 9 }).messages).toEqual([opened])
    const unsent: Message = { ...opened, isUnsent: true, version: 10 }
    expect(mergeHint(list, unsent).messages).toEqual([unsent])
    expect(mergeHint(mergeFirstPage(emptyList, [unsent], 50), opened).messages).toEqual([unsent])
  })

  it('has older messages only if the first page is full and does not begin with the first message', () => {
    expect(mergeFirstPage(emptyList, range(11, 20), 50).hasOlder).toBe(false)
    const list = mergeFirstPage(emptyList, range(101, 150), 50)
    expect(mergeOlderPage(list, range(51, 100), 50).hasOlder).toBe(true)
    expect(mergeOlderPage(list, range(91, 100), 50).hasOlder).toBe(false)
    expect(mergeOlderPage(list, range(1, 100), 100).hasOlder).toBe(false)
    expect(mergeOlderPage(list, [], 50).hasOlder).toBe(false)
    expect(emptyList.hasOlder).toBe(false)
  })

  it('ignores a hint for the message at the watermark, even one it does not hold', () => {
    const list = { ...loaded(1, 3), messages: range(1, 2) }
    expect(mergeHint(list, message(3))).toBe(list)
  })

  it('never marks a known message as unread again', () => {
    const read = applyRead(loaded(1, 3), 'bob', 3)
    expect(mergeNextPage(read, [message(3)])).toBe(read)
  })

  it('marks a known message as read', () => {
    const list = mergeNextPage(loaded(1, 3), [{ ...message(3), isRead: true }])
    expect(list.messages.at(-1)?.isRead).toBe(true)
  })

  it('never moves the watermark over a gap, and closes a gap in any order', () => {
    const ahead = mergeHint(mergeHint(loaded(1, 3), message(6)), message(5))
    expect(ahead.watermark).toBe(3)
    expect(hasGap(ahead)).toBe(true)
    expect(seqs(ahead)).toEqual([1, 2, 3, 5, 6])
    const closed = mergeHint(ahead, message(4))
    expect(closed.watermark).toBe(6)
    expect(hasGap(closed)).toBe(false)
  })

  it('STATE-32: keeps each message once and does not change for known messages', () => {
    const list = mergeHint(loaded(1, 3), message(5))
    expect(mergeHint(list, message(5))).toBe(list)
    expect(mergeHint(list, message(2))).toBe(list)
    expect(mergeNextPage(loaded(1, 3), [])).toEqual(loaded(1, 3))
  })

  it('moves the watermark to the end of a page, also over deleted messages', () => {
    const cleared = mergeHint(mergeFirstPage(emptyList, [], 50), message(11))
    expect(hasGap(cleared)).toBe(true)
    expect(mergeNextPage(cleared, [message(11)])).toMatchObject({ watermark: 11 })
  })

  it('ignores a late hint for a message that a page has shown to be deleted', () => {
    const list = mergeFirstPage(emptyList, [message(1), message(2), message(4)], 50)
    expect(mergeHint(list, message(3))).toBe(list)
  })

  it('keeps hints that arrived before the first page, except those before a gap', () => {
    const early = [message(2), message(62), message(61)].reduce(mergeHint, emptyList)
    expect(early.watermark).toBe(0)
    const list = mergeFirstPage(early, range(11, 60), 50)
    expect(list.messages[0]?.seq).toBe(11)
    expect(list.messages.length).toBe(52)
    expect(list.watermark).toBe(62)
  })

  it('has no watermark before the first page', () => {
    expect(mergeHint(emptyList, message(1)).watermark).toBe(0)
  })

  it('adds older pages at the beginning', () => {
    const list = mergeOlderPage(mergeFirstPage(emptyList, range(61, 110), 50), range(11, 60), 50)
    expect(seqs(list)[0]).toBe(11)
    expect(list.messages.length).toBe(100)
    expect(list.hasOlder).toBe(true)
    expect(mergeOlderPage(list, range(1, 10), 50).hasOlder).toBe(false)
  })

  it('keeps a hint for the first message of the first page as it is', () => {
    const early = mergeHint(emptyList, { ...message(11), isRead: true })
    expect(mergeFirstPage(early, range(11, 60), 50).messages[0]?.isRead).toBe(true)
  })

  it('replaces a message by one with a higher version, wherever it comes from, and never by a lower one', () => {
    const edited = { ...message(2), content: 'new', version: 3 }
    const held = { ...loaded(2, 3), hasOlder: true }
    for (const list of [
      mergeHint(held, edited),
      mergeNextPage(held, [edited]),
      mergeOlderPage(held, [edited], 50),
      mergeFirstPage(mergeHint(emptyList, edited), range(2, 3), 50),
    ]) {
      expect(list.messages.map(({ content }) => content)).toEqual(['new', 'text 3'])
      const old = { ...edited, content: 'old', version: 2 }
      expect(mergeHint(list, old)).toBe(list)
      expect(mergeHint(list, message(2))).toBe(list)
    }
  })

  it('keeps a changed message read, and takes from an older version only that it was read', () => {
    const read = applyRead(loaded(1, 2), 'bob', 2)
    const edited = { ...message(2), content: 'new', version: 1 }
    expect(mergeHint(read, edited).messages[1]).toEqual({ ...edited, isRead: true })
    const changed = mergeHint(loaded(1, 2), edited)
    expect(mergeHint(changed, { ...message(2), isRead: true }).messages[1]).toEqual({
      ...edited,
      isRead: true,
    })
  })

  it('leaves out a changed message that is older than the first held one', () => {
    const list = mergeFirstPage(emptyList, range(11, 60), 50)
    expect(mergeHints(list, [{ ...message(5), version: 1 }])).toBe(list)
  })

  it('marks messages of the other person as read, and never reverts it', () => {
    const list = mergeFirstPage(emptyList, [message(1, 'ann'), message(2, 'bob'), message(3, 'ann')], 50)
    const read = applyRead(list, 'bob', 2)
    expect(read.messages.map(({ isRead }) => isRead)).toEqual([true, false, false])
    expect(applyRead(list, 'bob', 3).messages.map(({ isRead }) => isRead)).toEqual([true, false, true])
    expect(applyRead(read, 'bob', 2)).toBe(read)
    expect(mergeNextPage(read, [message(1, 'ann')])).toBe(read)
  })

  it('equals the server after hints in any order, lost or repeated, between pages at any moment', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('hint' as const), seq: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ kind: fc.constant('page' as const), until: fc.integer({ min: 1, max: 40 }) }),
    )
    const property = fc.property(
      fc.integer({ min: 0, max: 40 }),
      fc.array(step, { maxLength: 60 }),
      (start, steps) => {
        let list = mergeFirstPage(emptyList, range(1, start), 50)
        for (const { kind, ...rest } of steps) {
          if (kind === 'hint') list = mergeHint(list, message((rest as { seq: number }).seq))
          else
            list = mergeNextPage(
              list,
              range(list.watermark + 1, Math.max(list.watermark, (rest as { until: number }).until)),
            )
          const held = new Set(seqs(list))
          for (let seq = 1; seq <= list.watermark; seq += 1) expect(held.has(seq)).toBe(true)
          expect(seqs(list)).toEqual([...held].sort((a, b) => a - b))
        }
        list = mergeNextPage(list, range(list.watermark + 1, 40))
        expect(seqs(list)).toEqual(seqs(loaded(1, 40)))
        expect(list.watermark).toBe(40)
      },
    )
    fc.assert(property, { numRuns: 300 })
  })
})
