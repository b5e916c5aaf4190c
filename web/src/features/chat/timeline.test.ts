import type { Message } from '@sumlock/contracts/messaging-routes'
import type { Look } from '../sealed/look.ts'
import { createTimeline, countAfter, dayName, firstUnread } from './timeline.ts'

const buildTimeline = createTimeline()
const minuteMs = 60_000
const noon = new Date(2026, 10, 20, 12).getTime()

function message(seq: number, senderId: string, atMs: number, isRead = true): Message & { look: Look } {
  return {
    id: `m${seq}`,
    conversationId: 'c1',
    senderId,
    clientMessageId: `k${seq}`,
    seq,
    content: `text ${seq}`,
    mediaUrl: null,
    isRead,
    messageType: 'text',
    createdAt: new Date(atMs).toISOString(),
    sealed: { v: 1, from: 1, to: 1 },
    look: { state: 'open', body: { t: 'text', at: noon } },
  }
}
const received = { isWhole: true }

const build = (messages: Message[], unreadFrom: number | null = null) =>
  buildTimeline({ messages, pending: [], userId: 'ada', unreadFrom, ...received })

const placesOf = (messages: Message[], unreadFrom: number | null = null) =>
  build(messages, unreadFrom).flatMap((row) =>
    row.kind === 'message'
      ? [`${row.message.seq}${row.isFirst ? ' first' : ''}${row.isLast ? ' last' : ''}`]
      : [],
  )

it('messages of one person within five minutes form a run', () => {
  const messages = [
    message(1, 'ada', noon),
    message(2, 'ada', noon + 5 * minuteMs - 1),
    message(3, 'ada', noon + 10 * minuteMs - 1),
    message(4, 'ben', noon + 10 * minuteMs),
  ]
  expect(placesOf(messages)).toEqual(['1 first', '2 last', '3 first last', '4 first last'])
})

it('an id that both people have chosen names two rows', () => {
  const clientMessageId = 'the same'
  const rows = build([
    { ...message(1, 'ada', noon), clientMessageId },
    { ...message(2, 'ben', noon), clientMessageId },
  ])
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
})

it('a run ends at midnight and at the unread line', () => {
  const midnight = new Date(2026, 10, 21).getTime()
  const messages = [
    message(1, 'ben', midnight - 1),
    message(2, 'ben', midnight),
    message(3, 'ben', midnight + 1),
  ]
  expect(placesOf(messages)).toEqual(['1 first last', '2 first', '3 last'])
  expect(placesOf(messages, 3)).toEqual(['1 first last', '2 first last', '3 first last'])
})

it('the timeline has one pill for each day and the unread line before the first unread message', () => {
  const nextDay = noon + 24 * 60 * minuteMs
  const messages = [message(1, 'ben', noon), message(2, 'ben', nextDay), message(3, 'ben', nextDay)]
  expect(build(messages, 2).map(({ kind }) => kind)).toEqual([
    'day',
    'message',
    'day',
    'unread',
    'message',
    'message',
  ])
})

it('unsent messages come last, and own messages are marked by their sender', () => {
  const item = {
    message: { conversationId: 'c1', clientMessageId: 'k9', messageType: 'text' as const, content: 'later' },
    createdAtMs: noon,
    status: 'waiting' as const,
    failure: null,
  }
  const rows = buildTimeline({
    messages: [message(1, 'ada', noon), message(2, 'ben', noon)],
    pending: [item],
    userId: 'ada',
    unreadFrom: null,
    ...received,
  })
  expect(rows.at(-1)).toEqual({ kind: 'pending', key: 'k9', item })
  expect(rows.flatMap((row) => (row.kind === 'message' ? [row.isOwn] : []))).toEqual([true, false])
})

it('the first unread message is the first of the other person', () => {
  const messages = [message(1, 'ada', noon, false), message(2, 'ben', noon), message(3, 'ben', noon, false)]
  expect(firstUnread(messages, 'ada')).toBe(3)
  expect(firstUnread(messages.slice(0, 2), 'ada')).toBeNull()
})

it('counts only newer messages of the other person', () => {
  const messages = [1, 2, 3, 4].map((seq) => message(seq, seq === 3 ? 'ada' : 'ben', noon))
  expect(countAfter(messages, 1, 'ada')).toBe(2)
  expect(countAfter(messages, 4, 'ada')).toBe(0)
})

it('days are named by their distance from today', () => {
  const day = (...parts: [number, number, number]) => new Date(...parts).getTime()
  expect(dayName(day(2026, 10, 20), noon)).toBe('Today')
  expect(dayName(day(2026, 10, 19), noon)).toBe('Yesterday')
  expect(dayName(day(2026, 2, 4), noon)).toBe('Wed, 4 Mar')
  expect(dayName(day(2025, 2, 4), noon)).toBe('4 Mar 2025')
})

describe('messages that have vanished', () => {
  const gone = (seq: number, senderId: string, atMs = noon, isRead = true): Message => {
    const { sealed: _sealed, look: _look, ...rest } = message(seq, senderId, atMs, isRead)
    return { ...rest, content: '', vanishMs: 30_000, isVanished: true }
  }
  const kindsOf = (messages: Message[], more: Partial<Parameters<typeof buildTimeline>[0]> = {}) =>
    buildTimeline({ messages, pending: [], userId: 'ada', unreadFrom: null, ...received, ...more }).map(
      (row) =>
        row.kind === 'vanished' ? `vanished ${row.messages.map(({ seq }) => seq).join(' ')}` : row.kind,
    )
  const dayMs = 86_400_000

  it('are one line, whoever sent them and on however many days', () => {
    const messages = [
      gone(1, 'ada', noon - 3 * dayMs),
      gone(2, 'ben', noon - 2 * dayMs),
      gone(3, 'ada', noon - dayMs),
      message(4, 'ben', noon),
      gone(5, 'ben'),
    ]
    expect(kindsOf(messages)).toEqual(['vanished 1 2 3', 'day', 'message', 'vanished 5'])
  })

  it('stand below the pill of their day if a message of that day follows', () => {
    const messages = [message(1, 'ben', noon - dayMs), gone(2, 'ben'), message(3, 'ben', noon)]
    expect(kindsOf(messages)).toEqual(['day', 'message', 'day', 'vanished 2', 'message'])
  })

  it('end a run, and no message seems to be missing after them', () => {
    const messages = [message(1, 'ben', noon), gone(2, 'ben'), message(3, 'ben', noon)]
    const look: Look = { state: 'open', body: { t: 'text', at: noon, after: { by: 'ben', id: 'k2' } } }
    messages[2] = { ...messages[2], look } as Message
    expect(kindsOf(messages)).toEqual(['day', 'message', 'vanished 2', 'message'])
    expect(placesOf(messages)).toEqual(['1 first last', '3 first last'])
  })

  it('are neither unread nor new, and leave the unread line where it was', () => {
    const messages = [
      gone(1, 'ben', noon, false),
      message(2, 'ben', noon, false),
      gone(3, 'ben', noon, false),
    ]
    expect(firstUnread(messages, 'ada')).toBe(2)
    expect(countAfter(messages, 0, 'ada')).toBe(1)
    const later = messages.with(1, gone(2, 'ben'))
    expect(kindsOf(later, { unreadFrom: 2 })).toEqual(['vanished 1', 'unread', 'vanished 2 3'])
  })

  describe('and the line of the timer', () => {
    const timer = { id: 't', by: 'ben', vanishMs: 30_000, at: new Date(noon).toISOString() } as const
    const messages = [message(4, 'ada', noon), gone(5, 'ada'), gone(6, 'ada')]

    it.each([
      [5, {}, ['day', 'message', 'vanished 5', 'timer', 'vanished 6']],
      [6, { isEnd: true }, ['day', 'message', 'vanished 5 6', 'timer']],
      [6, { isEnd: false }, ['day', 'message', 'vanished 5 6']],
      [3, { isBeginning: false }, ['day', 'message', 'vanished 5 6']],
      [3, { isBeginning: true }, ['day', 'timer', 'message', 'vanished 5 6']],
    ])('stands after message %i if that is loaded (%j)', (afterSeq, loaded, kinds) => {
      expect(kindsOf(messages, { timer: { ...timer, afterSeq }, ...loaded })).toEqual(kinds)
    })

    it.each([
      ['above', noon - dayMs, ['vanished 5', 'timer', 'day', 'vanished 6', 'message']],
      ['below', noon, ['day', 'vanished 5', 'timer', 'vanished 6', 'message']],
    ])('stands %s the pill of the next message, after the day on which it was set', (_where, atMs, kinds) => {
      const at = new Date(atMs).toISOString()
      const around = [gone(5, 'ada', atMs), gone(6, 'ada'), message(7, 'ben', noon)]
      expect(kindsOf(around, { timer: { ...timer, at, afterSeq: 5 }, isBeginning: true })).toEqual(kinds)
    })

    it('stands in an empty conversation, too', () => {
      expect(kindsOf([], { timer: { ...timer, afterSeq: 0 }, isEnd: true })).toEqual(['timer'])
    })
  })
})
