import type { Conversation, Message } from '@sumlock/contracts/messaging-routes'
import type { OutboxItem } from '@sumlock/sync/ports'
import type { Removal } from '@sumlock/sync/vanishing'
import { dayText } from '../../shared/lib/date-text.ts'
import type { Upload } from '../media/uploads.ts'
import { bubbleName } from './message-of-bubble.ts'
import { checkReceived } from './receiving-rules.ts'
import type { CheckedMessage } from './receiving-rules.ts'
import { createQuoting } from './reply/quotation-of.ts'
import type { Quotation } from './reply/quotation-of.ts'

/** Messages of one person form a run while less than this time lies between them. */
const runMs = 5 * 60_000

/** The message list consists of these rows. `isFirst` and `isLast` mark the ends of a run of one person's messages. */
export type TimelineRow =
  | { kind: 'day'; key: string; dayStartMs: number }
  | { kind: 'unread'; key: string }
  /** These notes stand above unsealed messages, and above the sealed messages that follow them. */
  | { kind: 'plain' | 'sealed'; key: string }
  | { kind: 'gap'; key: string }
  /** The timer was set here. */
  | { kind: 'timer'; key: string; timer: Timer }
  /** These messages stand in a row and have vanished. */
  | { kind: 'vanished'; key: string; messages: (Message & Removal)[] }
  | ({ kind: 'message'; key: string; isOwn: boolean; isFirst: boolean; isLast: boolean } & CheckedMessage &
      Answer)
  | ({ kind: 'pending'; key: string; item: OutboxItem } & Answer)
  | { kind: 'upload'; key: string; upload: Upload }

type Timer = NonNullable<Conversation['timer']>

interface Answer {
  /** The message answers this one. */
  quotation: Quotation | undefined
}

export interface TimelineInput {
  messages: readonly Message[]
  pending: readonly OutboxItem[]
  /** Media that are being uploaded. */
  uploads?: readonly Upload[]
  userId: string
  /**
   * The unread line stands above the message with this seq; it is null if no message was unread when the conversation
   * was opened.
   */
  unreadFrom: number | null
  timer?: Timer | undefined
  /** Whether no earlier, or no later message is missing. */
  isBeginning?: boolean
  isEnd?: boolean
  /** `checkReceived` needs this to detect a missing message. */
  isWhole: boolean
}

type TimesOf = (message: Message) => { atMs: number; dayStartMs: number }

/** Caches the times of messages, because dates are slow to compute and the rows are built again for every message. */
function createTimes(): TimesOf {
  const times = new WeakMap<Message, ReturnType<TimesOf>>()
  return (message) => {
    let known = times.get(message)
    if (!known) {
      const atMs = Date.parse(message.createdAt)
      known = { atMs, dayStartMs: new Date(atMs).setHours(0, 0, 0, 0) }
      times.set(message, known)
    }
    return known
  }
}

function isSameRun(timesOf: TimesOf, a: Message | undefined, b: Message | undefined): boolean {
  if (!a || !b || a.senderId !== b.senderId) return false
  const [first, second] = [timesOf(a), timesOf(b)]
  return second.atMs - first.atMs < runMs && first.dayStartMs === second.dayStartMs
}

const isDeleted = ({ content, mediaUrl }: Message) => content === '' && mediaUrl === null

/** A deleted message counts as neither sealed nor plain. */
const isPlain = (message: Message) => !message.sealed && !isDeleted(message)

/** Returns whether a note on sealing stands between two messages, which ends a run. */
const differs = (message: Message, after: Message | undefined) =>
  !isDeleted(message) && after !== undefined && !isDeleted(after) && isPlain(message) !== isPlain(after)

/**
 * Returns a function that builds all rows of a conversation at each call. Between calls it keeps only the times of the
 * messages.
 */
export function createTimeline(): (input: TimelineInput) => TimelineRow[] {
  const timesOf = createTimes()
  return (input) => buildTimeline(timesOf, input)
}

/**
 * Builds the rows of a conversation: a pill for each day, the unread line, notes on unsealed or missing messages,
 * messages in runs, and finally the unsent ones.
 */
function buildTimeline(
  timesOf: TimesOf,
  { pending, uploads = [], userId, unreadFrom, ...received }: TimelineInput,
): TimelineRow[] {
  const rows: TimelineRow[] = []
  const checked = checkReceived(received)
  const timerBefore = placeOfTimer(checked, received)
  const quotationOf = createQuoting(checked)
  let dayStartMs: number | undefined
  let isPlainRun = false
  for (const [index, one] of checked.entries()) {
    const { message } = one
    if (index === timerBefore) addTimer(rows, received.timer)
    if (message.isVanished) {
      if (message.seq === unreadFrom) rows.push({ kind: 'unread', key: 'unread' })
      addVanished(rows, message)
      continue
    }
    const day = timesOf(message).dayStartMs
    if (day !== dayStartMs) {
      const at = rows.findLastIndex((row) => !isOfDay(row, day, timesOf)) + 1
      rows.splice(at, 0, { kind: 'day', key: `day-${day}`, dayStartMs: day })
    }
    dayStartMs = day
    if (message.seq === unreadFrom) rows.push({ kind: 'unread', key: 'unread' })
    if (one.isAfterGap) rows.push({ kind: 'gap', key: `gap-${message.seq}` })
    const changesRun = !isDeleted(message) && isPlain(message) !== isPlainRun
    if (changesRun) {
      isPlainRun = !isPlainRun
      rows.push({ kind: isPlainRun ? 'plain' : 'sealed', key: `run-${message.seq}` })
    }
    const [before, after] = [shownAt(checked, index - 1), shownAt(checked, index + 1)]
    const isOwn = message.senderId === userId
    rows.push({
      kind: 'message',
      key: bubbleName(message, isOwn),
      ...one,
      isOwn,
      quotation: quotationOf(one.look.state === 'open' ? one.look.body.re : undefined),
      isFirst: changesRun || message.seq === unreadFrom || !isSameRun(timesOf, before, message),
      isLast: after?.seq === unreadFrom || !isSameRun(timesOf, message, after) || differs(message, after),
    })
  }
  if (timerBefore === checked.length) addTimer(rows, received.timer)
  for (const item of pending) {
    const { clientMessageId: key, re } = item.message
    rows.push({ kind: 'pending', key, item, quotation: quotationOf(re) })
  }
  for (const upload of uploads) rows.push({ kind: 'upload', key: upload.id, upload })
  return rows
}

/** Returns whether a row without a pill of its own stands below that of a day. */
function isOfDay(row: TimelineRow, day: number, timesOf: TimesOf): boolean {
  if (row.kind === 'timer') return new Date(row.timer.at).setHours(0, 0, 0, 0) === day
  return row.kind === 'vanished' && timesOf(row.messages[0] as Message).dayStartMs === day
}

/** A message that has vanished ends a run. */
function shownAt(checked: readonly CheckedMessage[], index: number): Message | undefined {
  const message = checked[index]?.message
  return message?.isVanished ? undefined : message
}

/** Adds a message to the line that says how many have vanished. */
function addVanished(rows: TimelineRow[], message: Message & Removal): void {
  const last = rows.at(-1)
  if (last?.kind === 'vanished' && last.messages[0]?.isEarly === message.isEarly) last.messages.push(message)
  else rows.push({ kind: 'vanished', key: `vanished-${message.seq}`, messages: [message] })
}

function addTimer(rows: TimelineRow[], timer: Timer | undefined): void {
  if (timer) rows.push({ kind: 'timer', key: 'timer', timer })
}

/** Returns before which message the timer was set; undefined if messages are missing there. */
function placeOfTimer(
  checked: readonly CheckedMessage[],
  { timer, isBeginning, isEnd }: Pick<TimelineInput, 'timer' | 'isBeginning' | 'isEnd'>,
): number | undefined {
  if (!timer) return undefined
  const index = checked.findIndex(({ message }) => message.seq > timer.afterSeq)
  if (index < 0) return isEnd ? checked.length : undefined
  return index > 0 || isBeginning ? index : undefined
}

/** Returns the seq of the first unread message of the other person; null if there is none. */
export function firstUnread(messages: readonly Message[], userId: string): number | null {
  const isUnread = ({ senderId, isRead, isVanished }: Message) =>
    senderId !== userId && !isRead && !isVanished
  return messages.find(isUnread)?.seq ?? null
}

/** Counts the messages of the other person whose seq is larger than `seq`, without those that have vanished. */
export function countAfter(messages: readonly Message[], seq: number, userId: string): number {
  let count = 0
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index] as Message
    if (message.seq <= seq) break
    if (message.senderId !== userId && !message.isVanished) count += 1
  }
  return count
}

/** Returns a name such as "Today", "Yesterday", "Mon, 4 Mar" or "4 Mar 2025". */
export function dayName(dayStartMs: number, nowMs: number): string {
  const today = new Date(nowMs).setHours(0, 0, 0, 0)
  const daysAgo = Math.round((today - dayStartMs) / 86_400_000)
  if (daysAgo === 0) return 'Today'
  if (daysAgo === 1) return 'Yesterday'
  return dayText(dayStartMs, new Date(nowMs))
}
