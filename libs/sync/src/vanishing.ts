import { limits } from '@sumlock/contracts/limits'
import type { Message } from '@sumlock/contracts/messaging-routes'
import type { Outbox } from './outbox.ts'
import type { SyncClock } from './ports.ts'
import { actsPart } from './vanishing-acts.ts'

/** These fields say when a message vanishes. */
export type Vanishing = Pick<Message, 'senderId' | 'createdAt' | 'vanishMs' | 'vanishAt' | 'isVanished'>

/** Returns when the message vanishes for a person, in ms by the server's clock; Infinity while no time runs. */
export function vanishesAtMs(message: Vanishing, userId: string): number {
  const { senderId, createdAt, vanishMs, vanishAt, isVanished } = message
  if (vanishMs === undefined || isVanished) return Infinity
  if (senderId === userId) return Date.parse(createdAt) + vanishMs
  return vanishAt === undefined ? Infinity : Date.parse(vanishAt)
}

/** What a holder of messages adds to them goes with their content. */
type Held = Partial<Pick<Message, 'sealed' | 'edit' | 'reactions'>> & { look?: unknown }

/** Returns the message without content. Unlike the server's, it has its time, which shows that this client emptied it. */
function emptied<M extends Vanishing>(before: M & Held): M {
  const { sealed: _sealed, edit: _edit, reactions: _reactions, look: _look, ...message } = before
  const empty = { content: '', messageType: 'text', mediaUrl: null, isVanished: true }
  return { ...message, ...empty } as unknown as M
}

/** Empties the messages whose time is over; returns the same array if there are none. */
export function withoutDue<M extends Vanishing>(
  messages: readonly M[],
  userId: string,
  nowMs: number,
): readonly M[] {
  const isDue = (message: M) => vanishesAtMs(message, userId) <= nowMs
  return messages.some(isDue)
    ? messages.map((message) => (isDue(message) ? emptied(message) : message))
    : messages
}

/** Returns when the next of the messages vanishes, as `vanishesAtMs` does. An end that cannot be read is `NaN`, and left out. */
export const nextEndMs = (messages: readonly Vanishing[], userId: string): number =>
  messages.reduce((next, message) => {
    const endMs = vanishesAtMs(message, userId)
    return endMs < next ? endMs : next
  }, Infinity)

/** Returns whether the person has read the message and the time of its end is not known yet. */
export const lacksEnd = (
  message: Omit<Vanishing, 'createdAt'> & Pick<Message, 'isRead'>,
  userId: string,
): boolean =>
  message.vanishMs !== undefined &&
  message.vanishAt === undefined &&
  !message.isVanished &&
  message.senderId !== userId &&
  message.isRead

/** Returns whether this client, and not the server, has emptied the message. */
export const isEmptiedHere = ({ vanishMs, isVanished }: Pick<Message, 'vanishMs' | 'isVanished'>): boolean =>
  isVanished === true && vanishMs !== undefined

/** Returns whether the message was emptied here before its time, because a clock was wrong. */
export const isEmptiedTooSoon = (message: Vanishing, userId: string, nowMs: number): boolean =>
  isEmptiedHere(message) && vanishesAtMs({ ...message, isVanished: undefined }, userId) > nowMs

/** A held message has these fields if the server has given it without content later. */
export interface Removal {
  /** It could vanish at this time (ms by the server's clock) at the earliest. */
  dueMs?: number
  /** It was given without content before. */
  isEarly?: true
}

const unopenedMs = limits.unreadVanishDays * 86_400_000
const isEmpty = ({ content, mediaUrl }: Pick<Message, 'content' | 'mediaUrl'>) =>
  content === '' && mediaUrl === null

/** No message opens once that did not do so from the start, so the server has emptied this one in a disguise. */
export const isDisguised = (message: Message, held: Message): boolean =>
  message.isOnce === true && !held.isOnce && isEmpty(message) && !isEmpty(held)

/** Returns the row that the server has given without content, with the earliest end that the held message allows. */
export function asRemoved(message: Message, held: Message & Removal): Message {
  if (held.isEarly) return Object.assign({}, message, { isEarly: true })
  if (held.isVanished || isEmpty(held)) return message
  const { vanishMs = held.isOnce ? unopenedMs : Infinity, vanishAt, createdAt } = held
  const dueMs = vanishAt === undefined ? Date.parse(createdAt) + vanishMs : Date.parse(vanishAt)
  return Object.assign({}, message, { dueMs })
}

/** The clocks may differ by this time. */
const toleranceMs = 5000

/** Marks the messages that the server has just given without content before their time. */
export function withEarly(messages: readonly (Message & Removal)[], nowMs: number): readonly Message[] {
  if (messages.every(({ dueMs }) => dueMs === undefined)) return messages
  return messages.map((one) => {
    const { dueMs, ...message } = one
    if (dueMs === undefined) return one
    return dueMs > nowMs + toleranceMs ? Object.assign(message, { isEarly: true }) : message
  })
}

export interface VanishWatch {
  /** Returns the time by the server's clock. */
  nowMs(): number
  /**
   * Adds a holder of messages, which empties what is due at a time (ms by the server's clock) and returns when its next
   * message vanishes. Returns a function that removes it.
   */
  add(part: (nowMs: number) => number): () => void
  /** Looks for what is due now. Must be called when messages have changed, or the device may have slept. */
  look(): void
  close(): void
}

/** Timers stand still while a device sleeps, so a running time is looked at this often. */
const lookAgainMs = 3000

/** Lets all messages vanish in time, and the acts that wait for them. `clock.nowMs` is the server's clock. */
export function createVanishWatch(clock: SyncClock, outbox: Outbox): VanishWatch {
  const parts = new Set([actsPart(outbox)])
  let timer: unknown
  let isLooking = false
  let isClosed = false
  const look = () => {
    // A part that empties a message changes the messages.
    if (isLooking || isClosed) return
    isLooking = true
    const nowMs = clock.nowMs()
    const nextMs = Math.min(...[...parts].map((part) => part(nowMs)))
    isLooking = false
    clock.clearTimeout(timer)
    const waitMs = Math.min(nextMs - nowMs, lookAgainMs)
    if (nextMs < Infinity) timer = clock.setTimeout(look, Math.max(0, waitMs))
  }
  const stop = outbox.subscribe(look)
  return {
    nowMs: clock.nowMs,
    add(part) {
      parts.add(part)
      look()
      return () => void parts.delete(part)
    },
    look,
    close() {
      isClosed = true
      stop()
      clock.clearTimeout(timer)
      parts.clear()
    },
  }
}
