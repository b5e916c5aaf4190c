import type { Message } from '@sumlock/contracts/messaging-routes'
import type { SyncClock } from './ports.ts'

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

/** Returns the message as the server shows it to a person for whom its time is over. */
function emptied<M extends Vanishing>(before: M & Held): M {
  const {
    sealed: _sealed,
    edit: _edit,
    reactions: _reactions,
    look: _look,
    vanishAt: _end,
    ...message
  } = before
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

/** Returns when the next of the messages vanishes, as `vanishesAtMs` does. */
export const nextEndMs = (messages: readonly Vanishing[], userId: string): number =>
  messages.reduce((next, message) => Math.min(next, vanishesAtMs(message, userId)), Infinity)

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

export interface VanishWatch {
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

/** Lets all messages vanish in time. `clock.nowMs` is the server's clock. */
export function createVanishWatch(clock: SyncClock): VanishWatch {
  const parts = new Set<(nowMs: number) => number>()
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
  return {
    add(part) {
      parts.add(part)
      look()
      return () => void parts.delete(part)
    },
    look,
    close() {
      isClosed = true
      clock.clearTimeout(timer)
      parts.clear()
    },
  }
}
