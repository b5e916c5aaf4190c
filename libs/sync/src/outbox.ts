import type { Message } from '@sumlock/contracts/messaging-routes'
import { createBackoffs } from './backoffs.ts'
import { remedyOf, toFailure } from './failure.ts'
import { createListeners } from './listeners.ts'
import { createOutboxItems, idOf } from './outbox-items.ts'
import type { OutboxItems } from './outbox-items.ts'
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
   * Prepares a message for sending. A sealed result is kept and sent by every attempt. Rejects like a failed call.
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
  /**
   * Queues a message and returns its clientMessageId, a new one when the caller gives none. It is among `items`, and is
   * sent, as soon as the store has it, and after 500 ms at the latest.
   */
  add(conversationId: string, draft: Draft, clientMessageId?: string): string
  /** Resolves when a message that was added is among `items`, or was already sent. */
  whenAdded(clientMessageId: string): Promise<void>
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
  /** Stops sending and forgets what is unsent, which stays in the store. */
  close(): void
}

const storeWithinMs = 500
/** Call it when a person has a new key: results for the former key are useless. */
const keysChanged = 'keys_changed'

/** Loads the unsent messages of an earlier page, then starts to send. */
export function createOutbox({ api, clock, store, prepare, answerWithinMs = 10_000 }: OutboxOptions): Outbox {
  let state: 'loading' | 'open' | 'closed' = 'loading'
  /** The message was added, and the store does not have it yet. */
  let joining: readonly OutboxItem[] = []
  let saved: Promise<void> = Promise.resolve()
  const save = () => {
    // A closed outbox must not overwrite the messages of its successor.
    if (!store || state !== 'open') return
    // Sending continues when the storage is full or forbidden: the messages are still in memory.
    saved = store.save([...items.all, ...joining]).catch(() => undefined)
  }
  const isSaved = () => within(clock, storeWithinMs, () => saved).catch(() => undefined)
  const items = createOutboxItems(save)
  const sender = createSender({
    ...{ api, clock, prepare, answerWithinMs, items },
    state: () => state,
  })
  const open = (left: readonly OutboxItem[]) => {
    if (state === 'closed') return
    state = 'open'
    items.set(mergeLeft(left, items.all))
    sender.kick()
  }
  const opened = store?.load().then(open, () => open([]))
  if (!store) open([])
  /** Stores a message before it is shown, so that it survives a reload. */
  const join = async (item: OutboxItem) => {
    joining = [...joining, item]
    if (state === 'loading') await opened
    save()
    await isSaved()
    joining = joining.filter((one) => one !== item)
    enter(item)
  }
  const enter = (item: OutboxItem) => {
    if (state === 'closed') return
    items.set([...items.all, item])
    sender.pump(item.message.conversationId)
  }

  return {
    get items() {
      return items.all
    },
    add(conversationId, draft, clientMessageId = randomId()) {
      const message = { ...draft, conversationId, clientMessageId }
      const item: OutboxItem = { message, createdAtMs: clock.nowMs(), status: 'waiting', failure: null }
      if (store && state !== 'closed') void join(item)
      else enter(item)
      return clientMessageId
    },
    whenAdded: (id) => items.until(() => !joining.some((item) => idOf(item) === id)),
    ...itemActions(items, sender.pump),
    kick: sender.kick,
    async flush(timeoutMs) {
      const isDone = () => joining.length === 0 && items.all.every(({ status }) => status === 'failed')
      const isIdle = () => isDone() || sender.isHeld() || state === 'closed'
      sender.kick()
      await within(clock, timeoutMs, () => items.until(isIdle)).catch(() => undefined)
      const isSent = isDone() && state !== 'closed'
      await isSaved()
      return isSent
    },
    subscribe: items.subscribe,
    onStored: sender.onStored,
    close() {
      state = 'closed'
      sender.stop()
      joining = []
      items.set([])
    },
  }
}

interface SenderOptions extends Required<Pick<OutboxOptions, 'api' | 'clock' | 'answerWithinMs'>> {
  prepare: OutboxOptions['prepare']
  items: OutboxItems
  state: () => 'loading' | 'open' | 'closed'
}

/** Sends the items of each conversation, one at a time and in their order. */
function createSender({ api, clock, prepare, answerWithinMs, items, state }: SenderOptions) {
  /** The session may not send at present; the next kick tries again. */
  let held = false
  const stored = createListeners<[Message]>()
  const backoffs = createBackoffs(clock, (conversationId) => pump(conversationId))

  const send = async (item: OutboxItem) => {
    const { conversationId } = item.message
    items.patch(idOf(item), { status: 'sending' })
    const attempt = within(clock, answerWithinMs, async (signal) =>
      api.sendMessage(await preparedOf(item, items, prepare), signal),
    )
    await attempt.then(
      (message) => {
        backoffs.reset(conversationId)
        if (state() === 'closed') return
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
    else if (state() !== 'closed') backoffs.start(conversationId, failure.retryAfterMs)
  }
  /** Sends the next message of a conversation, unless one is being sent or the conversation is backing off. */
  const pump = (conversationId: string) => {
    if (state() !== 'open' || held || backoffs.isWaiting(conversationId)) return
    const queue = items.all.filter((item) => item.message.conversationId === conversationId)
    const next = queue.find(({ status }) => status === 'waiting')
    if (next && !queue.some(({ status }) => status === 'sending')) void send(next)
  }
  const kick = () => {
    held = false
    backoffs.resetAll()
    for (const id of new Set(items.all.map((item) => item.message.conversationId))) pump(id)
  }
  return { pump, kick, isHeld: () => held, onStored: stored.add, stop: backoffs.resetAll }
}

/** A message is sealed once, however often it is sent. */
async function preparedOf(
  item: OutboxItem,
  items: OutboxItems,
  prepare: OutboxOptions['prepare'],
): Promise<OutgoingMessage> {
  if (!prepare) return item.message
  // A plain message is prepared again at each attempt, because the partner may have a key by then.
  if (item.prepared?.sealed) return item.prepared
  const prepared = await prepare(item.message)
  // An earlier attempt that timed out may have sealed this message in the meantime.
  const sealed = items.find(idOf(item))?.prepared
  if (sealed?.sealed) return sealed
  items.patch(idOf(item), { prepared })
  return prepared
}

/** The actions of a person on single messages. */
function itemActions(
  items: OutboxItems,
  pump: (conversationId: string) => void,
): Pick<Outbox, 'retry' | 'discard' | 'confirm'> {
  return {
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
