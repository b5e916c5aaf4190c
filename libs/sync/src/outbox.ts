import type { Message } from '@sumlock/contracts/messaging-routes'
import { createBackoffs } from './backoffs.ts'
import { remedyOf, toFailure } from './failure.ts'
import { createListeners } from './listeners.ts'
import { createOutboxSaver } from './outbox-saver.ts'
import type {
  Draft,
  OutboxItem,
  OutboxStore,
  OutgoingMessage,
  SyncApi,
  SyncClock,
  SyncFailure,
} from './ports.ts'
import { randomId } from './random-id.ts'
import { within } from './within.ts'

export interface OutboxOptions {
  api: Pick<SyncApi, 'sendMessage'>
  clock: SyncClock
  /** Unsent messages are kept in memory only when absent. */
  store?: OutboxStore
  /**
   * Makes what is sent of a message. A sealed result is kept and sent by every attempt. Rejects like a failed call.
   */
  prepare?: (message: OutgoingMessage) => Promise<OutgoingMessage>
  /** Time limit of one attempt; 10 s when absent. */
  answerWithinMs?: number
}

/**
 * Messages that are being sent to the server. Each is stored exactly once, in the order they were added to their
 * conversation: one attempt at a time, always with the same clientMessageId, until the server has answered.
 */
export interface Outbox {
  /** All items, oldest first; a new array after every change. */
  readonly items: readonly OutboxItem[]
  /** Queues a message and returns its clientMessageId, a new one when the caller gives none. */
  add(conversationId: string, draft: Draft, clientMessageId?: string): string
  /** Retries a failed item at its position and under its id; one whose keys have changed is prepared again. */
  retry(clientMessageId: string): void
  /** Removes a failed item; an item that is being sent stays. */
  discard(clientMessageId: string): void
  /** Removes a message that is known to be stored although the response to its send was lost. */
  confirm(clientMessageId: string): void
  /** Sends waiting items now, because the connection is back or the session was unlocked. */
  kick(): void
  /**
   * Sends waiting items now and resolves when none is left; false when that takes longer than `timeoutMs`, the session
   * may not send, or the outbox is closed. The store is written in all cases.
   */
  flush(timeoutMs: number): Promise<boolean>
  /** Called after every change of `items`. */
  subscribe(listener: () => void): () => void
  /** Called with the stored message, right before its item is removed. */
  onStored(listener: (message: Message) => void): () => void
  /** Stops sending. Unsent messages stay in the store. */
  close(): void
}

const storeWithinMs = 500
/** A person has a new key: what was prepared for the former one is of no use. */
const keysChanged = 'keys_changed'

/** Loads the unsent messages of an earlier page, then starts to send. */
export function createOutbox({ api, clock, store, prepare, answerWithinMs = 10_000 }: OutboxOptions): Outbox {
  let state: 'loading' | 'open' | 'closed' = 'loading'
  /** The session may not send at present; the next kick tries again. */
  let held = false
  const saver = createOutboxSaver(store)
  const stored = createListeners<[Message]>()
  const items = createOutboxItems((all) => {
    // A closed outbox must not overwrite the messages of its successor.
    if (state === 'open') saver.save(all)
  })
  const backoffs = createBackoffs(clock, (conversationId) => pump(conversationId))

  const preparedOf = async (item: OutboxItem): Promise<OutgoingMessage> => {
    if (!prepare) return item.message
    // A plain message is prepared again at each attempt, because the partner may have got a key since.
    if (item.prepared?.sealed) return item.prepared
    const prepared = await prepare(item.message)
    // An earlier attempt that timed out may have sealed this message in the meantime.
    const sealed = items.find(idOf(item))?.prepared
    if (sealed?.sealed) return sealed
    items.patch(idOf(item), { prepared })
    return prepared
  }
  const send = async (item: OutboxItem) => {
    const { conversationId } = item.message
    items.patch(idOf(item), { status: 'sending' })
    const attempt = within(clock, answerWithinMs, async (signal) =>
      api.sendMessage(await preparedOf(item), signal),
    )
    await attempt.then(
      (message) => {
        backoffs.reset(conversationId)
        stored.emit(message)
        items.remove(idOf(item))
      },
      (error: unknown) => settle(item, toFailure(error)),
    )
    pump(conversationId)
  }
  const settle = (item: OutboxItem, failure: SyncFailure) => {
    const { conversationId } = item.message
    const remedy = remedyOf(failure)
    if (remedy === 'wait-for-session') held = true
    items.patch(idOf(item), { status: remedy === 'give-up' ? 'failed' : 'waiting', failure })
    if (remedy !== 'retry') backoffs.reset(conversationId)
    else if (state !== 'closed') backoffs.start(conversationId, failure.retryAfterMs)
  }
  /** Sends the next message of a conversation, unless one is being sent or the conversation is backing off. */
  const pump = (conversationId: string) => {
    if (state !== 'open' || held || backoffs.isWaiting(conversationId)) return
    const queue = items.all.filter((item) => item.message.conversationId === conversationId)
    const next = queue.find(({ status }) => status === 'waiting')
    if (next && !queue.some(({ status }) => status === 'sending')) void send(next)
  }
  const kick = () => {
    held = false
    backoffs.resetAll()
    for (const id of new Set(items.all.map((item) => item.message.conversationId))) pump(id)
  }
  const open = (left: readonly OutboxItem[]) => {
    if (state === 'closed') return
    state = 'open'
    items.set(mergeLeft(left, items.all))
    kick()
  }
  if (store) store.load().then(open, () => open([]))
  else open([])

  return {
    get items() {
      return items.all
    },
    ...itemActions(items, clock, pump),
    kick,
    async flush(timeoutMs) {
      const isDone = () => !items.all.some(({ status }) => status !== 'failed')
      const isIdle = () => isDone() || held || state === 'closed'
      kick()
      await within(clock, timeoutMs, () => items.until(isIdle)).catch(() => undefined)
      await within(clock, storeWithinMs, () => saver.settled()).catch(() => undefined)
      return isDone()
    },
    subscribe: items.subscribe,
    onStored: stored.add,
    close() {
      state = 'closed'
      backoffs.resetAll()
    },
  }
}

const idOf = (item: OutboxItem): string => item.message.clientMessageId

/** The unsent messages of an outbox, oldest first. */
interface OutboxItems {
  /** A new array after every change. */
  readonly all: readonly OutboxItem[]
  find(clientMessageId: string): OutboxItem | undefined
  set(items: readonly OutboxItem[]): void
  patch(clientMessageId: string, change: Partial<OutboxItem>): void
  remove(clientMessageId: string): void
  subscribe(listener: () => void): () => void
  /** Resolves as soon as the condition is true; it is checked now and after every change. */
  until(condition: () => boolean): Promise<void>
}

function createOutboxItems(onChange: (items: readonly OutboxItem[]) => void): OutboxItems {
  let items: readonly OutboxItem[] = []
  const changed = createListeners<[]>()
  const set = (next: readonly OutboxItem[]) => {
    items = next
    onChange(items)
    changed.emit()
  }
  return {
    get all() {
      return items
    },
    find: (id) => items.find((item) => idOf(item) === id),
    set,
    patch: (id, change) => set(items.map((item) => (idOf(item) === id ? { ...item, ...change } : item))),
    remove: (id) => set(items.filter((item) => idOf(item) !== id)),
    subscribe: changed.add,
    until: (condition) =>
      new Promise((resolve) => {
        const check = () => {
          if (!condition()) return
          stop()
          resolve()
        }
        const stop = changed.add(check)
        check()
      }),
  }
}

/** The actions a person takes on single messages. */
function itemActions(
  items: OutboxItems,
  clock: SyncClock,
  pump: (conversationId: string) => void,
): Pick<Outbox, 'add' | 'retry' | 'discard' | 'confirm'> {
  return {
    add(conversationId, draft, clientMessageId = randomId()) {
      const message = { ...draft, conversationId, clientMessageId }
      items.set([...items.all, { message, createdAtMs: clock.nowMs(), status: 'waiting', failure: null }])
      pump(conversationId)
      return clientMessageId
    },
    retry(id) {
      const item = items.find(id)
      if (item?.status !== 'failed') return
      const prepared = item.failure?.code === keysChanged ? undefined : item.prepared
      items.patch(id, { status: 'waiting', failure: null, prepared })
      pump(item.message.conversationId)
    },
    discard(id) {
      if (items.find(id)?.status === 'failed') items.remove(id)
    },
    confirm(id) {
      const item = items.find(id)
      if (item && item.status !== 'sending') items.remove(id)
    },
  }
}

/** Stored messages come first; one that was being sent when the page was closed waits again. */
function mergeLeft(left: readonly OutboxItem[], added: readonly OutboxItem[]): OutboxItem[] {
  const known = new Set(left.map(idOf))
  const revived = left.map((item) =>
    item.status === 'sending' ? { ...item, status: 'waiting' as const } : item,
  )
  return [...revived, ...added.filter((item) => !known.has(idOf(item)))]
}
