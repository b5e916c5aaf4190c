import type { Message } from '@sumlock/contracts/messaging-routes'
import type { OutboxItem } from '@sumlock/sync/ports'

/** Messages of one person belong together while less than this lies between them. */
const runMs = 5 * 60_000

/** What the message list shows, from top to bottom. `isFirst` and `isLast` tell the place in a run of one person. */
export type TimelineRow =
  | { kind: 'day'; key: string; dayStartMs: number }
  | { kind: 'unread'; key: string }
  | { kind: 'message'; key: string; message: Message; isOwn: boolean; isFirst: boolean; isLast: boolean }
  | { kind: 'pending'; key: string; item: OutboxItem }

export interface TimelineInput {
  messages: readonly Message[]
  pending: readonly OutboxItem[]
  userId: string
  /** The first message that was unread when the conversation was opened. */
  unreadFrom: number | null
}

/** Dates are slow to compute, and a list is rebuilt for every message. */
const times = new WeakMap<Message, { atMs: number; dayStartMs: number }>()
function timesOf(message: Message) {
  let known = times.get(message)
  if (!known) {
    const atMs = Date.parse(message.createdAt)
    known = { atMs, dayStartMs: new Date(atMs).setHours(0, 0, 0, 0) }
    times.set(message, known)
  }
  return known
}

function isSameRun(a: Message | undefined, b: Message | undefined): boolean {
  if (!a || !b || a.senderId !== b.senderId) return false
  const [first, second] = [timesOf(a), timesOf(b)]
  return second.atMs - first.atMs < runMs && first.dayStartMs === second.dayStartMs
}

/** The rows of a conversation: a pill for each day, the unread line, messages in runs, then what is not sent yet. */
export function buildTimeline({ messages, pending, userId, unreadFrom }: TimelineInput): TimelineRow[] {
  const rows: TimelineRow[] = []
  let dayStartMs: number | undefined
  for (const [index, message] of messages.entries()) {
    const day = timesOf(message).dayStartMs
    if (day !== dayStartMs) rows.push({ kind: 'day', key: `day-${day}`, dayStartMs: day })
    dayStartMs = day
    if (message.seq === unreadFrom) rows.push({ kind: 'unread', key: 'unread' })
    const [before, after] = [messages[index - 1], messages[index + 1]]
    rows.push({
      kind: 'message',
      key: message.clientMessageId,
      message,
      isOwn: message.senderId === userId,
      isFirst: message.seq === unreadFrom || !isSameRun(before, message),
      isLast: after?.seq === unreadFrom || !isSameRun(message, after),
    })
  }
  for (const item of pending) rows.push({ kind: 'pending', key: item.message.clientMessageId, item })
  return rows
}

/** The seq of the first message of the other person that is unread; null if there is none. */
export function firstUnread(messages: readonly Message[], userId: string): number | null {
  return messages.find(({ senderId, isRead }) => senderId !== userId && !isRead)?.seq ?? null
}

/** How many messages of the other person came after this seq. */
export function countAfter(messages: readonly Message[], seq: number, userId: string): number {
  let count = 0
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index] as Message
    if (message.seq <= seq) break
    if (message.senderId !== userId) count += 1
  }
  return count
}

/** Such as "Today", "Yesterday", "Mon, 4 Mar" or "4 Mar 2025". */
export function dayName(dayStartMs: number, nowMs: number): string {
  const today = new Date(nowMs).setHours(0, 0, 0, 0)
  const daysAgo = Math.round((today - dayStartMs) / 86_400_000)
  if (daysAgo === 0) return 'Today'
  if (daysAgo === 1) return 'Yesterday'
  const day = new Date(dayStartMs)
  const sameYear = day.getFullYear() === new Date(nowMs).getFullYear()
  return day.toLocaleDateString('en', {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? { weekday: 'short' } : { year: 'numeric' }),
  })
}
