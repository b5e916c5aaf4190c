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
  /** When absent, unsent messages are kept in memory only. */
  store?: OutboxStore
  /** Seals a message, if it can. A sealed result is kept, and every attempt sends it. Rejects as a failed call does. */
  prepare?: (message: OutgoingMessage) => Promise<OutgoingMessage>
  /** An attempt fails after this time; 10 s when absent. */
  answerWithinMs?: number
}

/**
 * Sends messages to the server. Each is stored exactly once, and those of a conversation in the order in which they
 * were added. Attempts follow one another with the same clientMessageId until the server has answered.
 */
export interface Outbox {
  /** The items are in order, oldest first. The array is a new one after every change. */
  readonly items: readonly OutboxItem[]
  /**
   * Queues a message and returns its clientMessageId, a new one when the caller gives none. The message joins `items`
   * and is sent once the store has saved it, or after 500 ms.
   */
  add(conversationId: string, draft: Draft, clientMessageId?: string): string
  /** Resolves when an added message is among `items` or was already sent. */
  whenAdded(clientMessageId: string): Promise<void>
  /**
   * Retries a failed item at its position, with the same clientMessageId. If a key of the two people has changed
   * since, the message is prepared again.
   */
  retry(clientMessageId: string): void
  /** Removes a failed item; an item that is being sent stays. */
  discard(clientMessageId: string): void
  /** Removes a message that is known to be stored, although the response to its send was lost. */
  confirm(clientMessageId: string): void
  /** Sends waiting items now. Call it when the connection is back or the session was unlocked. */
  kick(): void
  /**
   * Sends waiting items now. Resolves with true when none is left, and with false when that takes longer than
   * `timeoutMs`, the session may not send, or the outbox is closed. In all cases the store has then been written, or
   * 500 ms have passed.
   */
  flush(timeoutMs: number): Promise<boolean>
  /** Called after every change of `items`. */
  subscribe(listener: () => void): () => void
  /** Called with the stored message, right before its item is removed. */
  onStored(listener: (message: Message) => void): () => void
  /** Stops sending. Unsent messages stay in the store, but not in memory. */
  close(): void
}

const storeWithinMs = 500
/** The server refuses a message with this code when one of the two people has a new key. */
const keysChanged = 'keys_changed'

/** Creates an outbox, which loads the unsent messages of an earlier page and then starts to send. */
export function createOutbox({ api, clock, store, prepare, answerWithinMs = 10_000 }: OutboxOptions): Outbox {
  let state: 'loading' | 'open' | 'closed' = 'loading'
  /** The store may not have saved these messages yet. */
  let joining: readonly OutboxItem[] = []
  let saved: Promise<void> = Promise.resolve()
  const save = () => {
    // After `close`, the store belongs to another outbox, whose messages must stay.
    if (!store || state !== 'open') return
    // Sending continues when the storage is full or forbidden, because the messages are still in memory.
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
  /** Stores a message before it is shown, so that a message on the screen survives a reload. */
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
  /** True while the session may not send. The next kick tries again. */
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

/** Returns the message to send. It is sealed once, however many attempts send it. */
async function preparedOf(
  item: OutboxItem,
  items: OutboxItems,
  prepare: OutboxOptions['prepare'],
): Promise<OutgoingMessage> {
  if (!prepare) return item.message
  // An unsealed message is prepared again at each attempt, because the partner may have a key by then.
  if (item.prepared?.sealed) return item.prepared
  const prepared = await prepare(item.message)
  // An earlier attempt that timed out may have sealed this message in the meantime.
  const sealed = items.find(idOf(item))?.prepared
  if (sealed?.sealed) return sealed
  items.patch(idOf(item), { prepared })
  return prepared
}

/** Returns the actions on single messages. */
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

/** Puts stored messages first. One that was being sent when the page was closed waits to be sent again. */
function mergeLeft(left: readonly OutboxItem[], added: readonly OutboxItem[]): OutboxItem[] {
  const known = new Set(left.map(idOf))
  const revived = left.map((item) =>
    item.status === 'sending' ? { ...item, status: 'waiting' as const } : item,
  )
  return [...revived, ...added.filter((item) => !known.has(idOf(item)))]
}
