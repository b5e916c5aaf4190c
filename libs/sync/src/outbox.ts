import type { Message } from '@sumlock/contracts/messaging-routes'
import { remedyOf, toFailure } from './failure.ts'
import { createListeners } from './listeners.ts'
import { createOutboxSaver } from './outbox-saver.ts'
import type { Draft, OutboxItem, OutboxStore, SyncApi, SyncClock, SyncFailure } from './ports.ts'
import { randomId } from './random-id.ts'
import { within } from './within.ts'

export interface OutboxOptions {
  api: Pick<SyncApi, 'sendMessage'>
  clock: SyncClock
  /** Unsent messages are kept in memory only when absent. */
  store?: OutboxStore
  /** After this long a try counts as not answered. 10 s when absent. */
  answerWithinMs?: number
}

/**
 * Messages on their way to the server. Each is stored exactly once, in the order they were added to their
 * conversation: one try at a time, always under the same clientMessageId, again until the server has decided.
 */
export interface Outbox {
  /** All items, oldest first; a new array after every change. */
  readonly items: readonly OutboxItem[]
  /** Takes a message and answers with its clientMessageId. */
  add(conversationId: string, draft: Draft): string
  /** Tries a failed item again, in its old place and under its old id. */
  retry(clientMessageId: string): void
  /** Drops a failed item. One that is on its way cannot be called back. */
  discard(clientMessageId: string): void
  /** The message was seen stored although its answer never came: no need to try again. */
  confirm(clientMessageId: string): void
  /** Tries at once whatever waits: the connection is back, or the session was unlocked. */
  kick(): void
  /**
   * Tries at once and waits until nothing waits; false when that took longer than `timeoutMs`, the session may not
   * send, or the outbox is closed. In all cases the store was written.
   */
  flush(timeoutMs: number): Promise<boolean>
  /** Called after every change of `items`. */
  subscribe(listener: () => void): () => void
  /** Called with what the server stored, right before the item disappears. */
  onStored(listener: (message: Message) => void): () => void
  /** Stops trying. What is unsent stays in the store. */
  close(): void
}

const firstDelayMs = 500
const maxDelayMs = 15_000
const storeWithinMs = 500

/** Loads what an earlier page left behind, then begins to send. */
export function createOutbox({ api, clock, store, answerWithinMs = 10_000 }: OutboxOptions): Outbox {
  let items: readonly OutboxItem[] = []
  let state: 'loading' | 'open' | 'closed' = 'loading'
  /** The session may not send at present; the next kick tries again. */
  let held = false
  const backoffs = new Map<string, { attempts: number; timer: unknown }>()
  const changed = createListeners<[]>()
  const stored = createListeners<[Message]>()
  const saver = createOutboxSaver(store)

  const set = (next: readonly OutboxItem[]) => {
    items = next
    // A closed outbox has a successor, whose messages it would overwrite.
    if (state === 'open') saver.save(items)
    changed.tell()
  }
  const idOf = (item: OutboxItem) => item.message.clientMessageId
  const remove = (id: string) => set(items.filter((item) => idOf(item) !== id))
  const patch = (id: string, change: Partial<OutboxItem>) =>
    set(items.map((item) => (idOf(item) === id ? { ...item, ...change } : item)))

  const send = async (item: OutboxItem) => {
    const { conversationId } = item.message
    patch(idOf(item), { status: 'sending' })
    const attempt = within(clock, answerWithinMs, (signal) => api.sendMessage(item.message, signal))
    await attempt.then(
      (message) => {
        backoffs.delete(conversationId)
        stored.tell(message)
        remove(idOf(item))
      },
      (error: unknown) => settle(item, toFailure(error)),
    )
    pump(conversationId)
  }

  const settle = (item: OutboxItem, failure: SyncFailure) => {
    const remedy = remedyOf(failure)
    if (remedy === 'wait-for-session') held = true
    patch(idOf(item), { status: remedy === 'give-up' ? 'failed' : 'waiting', failure })
    if (remedy === 'retry') backOff(item.message.conversationId, failure.retryAfterMs)
    else backoffs.delete(item.message.conversationId)
  }

  const backOff = (conversationId: string, retryAfterMs: number | null) => {
    if (state === 'closed') return
    const attempts = (backoffs.get(conversationId)?.attempts ?? 0) + 1
    const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempts - 1)) * (0.75 + clock.random() / 2)
    const timer = clock.setTimeout(
      () => {
        backoffs.set(conversationId, { attempts, timer: null })
        pump(conversationId)
      },
      Math.max(delayMs, retryAfterMs ?? 0),
    )
    backoffs.set(conversationId, { attempts, timer })
  }

  /** Sends the next message of a conversation unless one is on its way or has to wait. */
  const pump = (conversationId: string) => {
    if (state !== 'open' || held || (backoffs.get(conversationId)?.timer ?? null) !== null) return
    const queue = items.filter((item) => item.message.conversationId === conversationId)
    const next = queue.find(({ status }) => status === 'waiting')
    if (next && !queue.some(({ status }) => status === 'sending')) void send(next)
  }

  const kick = () => {
    held = false
    for (const { timer } of backoffs.values()) clock.clearTimeout(timer)
    backoffs.clear()
    for (const id of new Set(items.map((item) => item.message.conversationId))) pump(id)
  }

  const open = (left: readonly OutboxItem[]) => {
    if (state === 'closed') return
    state = 'open'
    const known = new Set(left.map(idOf))
    const revived = left.map((item) =>
      item.status === 'sending' ? { ...item, status: 'waiting' as const } : item,
    )
    set([...revived, ...items.filter((item) => !known.has(idOf(item)))])
    kick()
  }
  if (store) store.load().then(open, () => open([]))
  else open([])

  const isDone = () => !items.some(({ status }) => status !== 'failed')
  const untilIdle = () =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!isDone() && !held && state !== 'closed') return
        stop()
        resolve()
      }
      const stop = changed.add(check)
      check()
    })

  return {
    get items() {
      return items
    },
    add(conversationId, draft) {
      const message = { ...draft, conversationId, clientMessageId: randomId() }
      set([...items, { message, createdAtMs: clock.nowMs(), status: 'waiting', failure: null }])
      pump(conversationId)
      return message.clientMessageId
    },
    retry(id) {
      const item = items.find((candidate) => idOf(candidate) === id)
      if (item?.status !== 'failed') return
      patch(id, { status: 'waiting', failure: null })
      pump(item.message.conversationId)
    },
    discard(id) {
      if (items.some((item) => idOf(item) === id && item.status === 'failed')) remove(id)
    },
    confirm(id) {
      if (items.some((item) => idOf(item) === id && item.status !== 'sending')) remove(id)
    },
    kick,
    async flush(timeoutMs) {
      kick()
      await within(clock, timeoutMs, () => untilIdle()).catch(() => undefined)
      await within(clock, storeWithinMs, () => saver.settled()).catch(() => undefined)
      return isDone()
    },
    subscribe: changed.add,
    onStored: stored.add,
    close() {
      state = 'closed'
      for (const { timer } of backoffs.values()) clock.clearTimeout(timer)
    },
  }
}
