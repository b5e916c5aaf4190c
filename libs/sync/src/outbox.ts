import type { Message } from '@sumlock/contracts/messaging-routes'
import { withAct, withoutMessage } from './outbox-acts.ts'
import { createOutboxItems, idOf, isAct } from './outbox-items.ts'
import type { OutboxItems } from './outbox-items.ts'
import { createSender } from './outbox-sender.ts'
import type {
  ActItem,
  Draft,
  OutboxEntry,
  OutboxItem,
  OutboxStore,
  OutgoingAct,
  OutgoingMessage,
  SendAct,
  SyncApi,
  SyncClock,
  SyncFailure,
} from './ports.ts'
import { randomId } from './random-id.ts'
import { within } from './within.ts'

export interface OutboxOptions {
  /** An outbox without `sendAct` is given no acts. */
  api: Pick<SyncApi, 'sendMessage'> & { sendAct?: SendAct }
  clock: SyncClock
  /** When absent, what is unsent is kept in memory only. */
  store?: OutboxStore
  /** Seals a message, if it can. A sealed result is kept, and every attempt sends it. Rejects as a failed call does. */
  prepare?: (message: OutgoingMessage) => Promise<OutgoingMessage>
  /** Does the same with an act. */
  prepareAct?: (act: OutgoingAct) => Promise<OutgoingAct>
  /** An attempt fails after this time; 10 s when absent. */
  answerWithinMs?: number
}

/**
 * Sends messages and acts to the server. Each takes effect exactly once, and those of a conversation in the order in
 * which they were added. Attempts follow one another with the same clientMessageId until the server has answered.
 */
export interface Outbox {
  /** The unsent messages are in order, oldest first. The array is a new one after every change. */
  readonly items: readonly OutboxItem[]
  /** These acts have no answer yet. The array is a new one after every change. */
  readonly acts: readonly ActItem[]
  /**
   * Queues a message and returns its clientMessageId, a new one when the caller gives none. The message joins `items`
   * and is sent once the store has saved it, or after 500 ms.
   */
  add(conversationId: string, draft: Draft, clientMessageId?: string): string
  /**
   * Queues an act behind the message that it changes. An unsend takes the place of a message that has no answer yet, and a
   * reaction that of the one it replaces, if that still waits. Acts on a message that has failed wait for its retry, and
   * are discarded with it.
   */
  act(act: OutgoingAct): void
  /** Resolves when an added message is among `items` or was already sent. */
  whenAdded(clientMessageId: string): Promise<void>
  /**
   * Retries a failed item at its position, with the same clientMessageId. If a key of the two people has changed
   * since, the message is prepared again.
   */
  retry(clientMessageId: string): void
  /** Removes a failed item; an item that is being sent stays. */
  discard(clientMessageId: string): void
  /** Removes these messages and acts. Resolves when the store has been written, or after 500 ms. */
  drop(isDropped: (entry: OutboxEntry) => boolean): Promise<void>
  /** Keeps with an act when its message vanishes, ms by the server's clock. */
  setEnd(clientMessageId: string, endsAtMs: number): void
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
  /** Called with the message after a send or an act, right before the item is removed. */
  onStored(listener: (message: Message) => void): () => void
  /**
   * Called when the server has refused an act, which is removed. A message whose place it took comes back as failed. A
   * refusal that had no listener is reported to the first one, also on the next page.
   */
  onRefused(listener: (act: OutgoingAct, failure: SyncFailure) => void): () => void
  /** Stops sending. What is unsent stays in the store, but not in memory. */
  close(): void
}

const storeWithinMs = 500
/** The server refuses a message with this code when one of the two people has a new key. */
const keysChanged = 'keys_changed'

/** Creates an outbox, which loads the unsent messages of an earlier page and then starts to send. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { clock, store, answerWithinMs = 10_000 } = options
  let state: 'loading' | 'open' | 'closed' = 'loading'
  /** The store may not have saved these messages yet. */
  let joining: readonly OutboxEntry[] = []
  let saved: Promise<void> = Promise.resolve()
  const save = () => {
    // After `close`, the store belongs to another outbox, whose messages must stay.
    if (!store || state !== 'open') return
    // Sending continues when the storage is full or forbidden, because the messages are still in memory.
    saved = store.save([...items.all, ...joining]).catch(() => undefined)
  }
  const isSaved = () => within(clock, storeWithinMs, () => saved).catch(() => undefined)
  const items = createOutboxItems(save)
  const sender = createSender({ ...options, answerWithinMs, items, state: () => state })
  const open = (left: readonly OutboxEntry[]) => {
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
    // It is missing if its conversation was deleted in the meantime.
    if (joining.includes(item)) enter(item)
  }
  const enter = (item: OutboxItem) => {
    joining = joining.filter((one) => one !== item)
    if (state === 'closed') return
    items.set([...items.all, item])
    sender.pump(item.message.conversationId)
  }

  return {
    get items() {
      return items.messages
    },
    get acts() {
      return items.acts
    },
    add(conversationId, draft, clientMessageId = randomId()) {
      const message = { ...draft, conversationId, clientMessageId }
      const item: OutboxItem = { message, createdAtMs: clock.nowMs(), status: 'waiting', failure: null }
      if (store && state !== 'closed') void join(item)
      else enter(item)
      return clientMessageId
    },
    whenAdded: (id) => items.until(() => !joining.some((item) => idOf(item) === id)),
    ...itemActions({
      ...{ items, sender, clock, isSaved, opened },
      isClosed: () => state === 'closed',
      keepJoining: (isKept) => (joining = joining.filter(isKept)),
    }),
    kick: sender.kick,
    async flush(timeoutMs) {
      const isDone = () => joining.length === 0 && items.all.every((item) => isStuck(items, item))
      const isIdle = () => isDone() || sender.isHeld() || state === 'closed'
      sender.kick()
      await within(clock, timeoutMs, () => items.until(isIdle)).catch(() => undefined)
      const isSent = isDone() && state !== 'closed'
      await isSaved()
      return isSent
    },
    ...{ subscribe: items.subscribe, onStored: sender.onStored, onRefused: sender.onRefused },
    close() {
      state = 'closed'
      sender.stop()
      joining = []
      items.set([])
    },
  }
}

interface ItemActionsOptions extends Pick<OutboxOptions, 'clock'> {
  items: OutboxItems
  sender: ReturnType<typeof createSender>
  isSaved: () => Promise<void>
  isClosed: () => boolean
  /** Resolves when the messages of an earlier page are among the items. */
  opened: Promise<void> | undefined
  keepJoining: (isKept: (item: OutboxEntry) => boolean) => void
}

/** Returns the actions on messages that were added. */
function itemActions(
  options: ItemActionsOptions,
): Pick<Outbox, 'act' | 'retry' | 'discard' | 'drop' | 'setEnd' | 'confirm'> {
  const { items, sender, clock, isSaved, isClosed, opened, keepJoining } = options
  return {
    async drop(isDropped) {
      await opened
      const isKept = (entry: OutboxEntry) => !isDropped(entry)
      keepJoining(isKept)
      items.set(items.all.filter(isKept))
      await isSaved()
    },
    setEnd: (id, endsAtMs) => items.patch(id, { endsAtMs }),
    act(message) {
      if (isClosed()) return
      const item: ActItem = { message, createdAtMs: clock.nowMs(), status: 'waiting', failure: null }
      items.set(withAct(items.all, item))
      // An act is shown at once, and sent when it would survive a reload.
      void isSaved().then(() => sender.pump(message.conversationId))
    },
    retry(id) {
      const item = items.find(id)
      if (item?.status !== 'failed') return
      const prepared = item.failure?.code === keysChanged ? undefined : item.prepared
      items.patch(id, { status: 'waiting', failure: null, prepared })
      sender.pump(item.message.conversationId)
    },
    discard(id) {
      if (items.find(id)?.status === 'failed') items.set(withoutMessage(items.all, id))
    },
    confirm(id) {
      const item = items.find(id)
      if (item && item.status !== 'sending') items.remove(id)
    },
  }
}

/** Returns whether only the person can bring this further. */
const isStuck = (items: OutboxItems, item: OutboxEntry): boolean =>
  item.status === 'failed' || (isAct(item) && items.find(item.message.target.id)?.status === 'failed')

/** Puts stored messages first. One that was being sent when the page was closed waits to be sent again. */
function mergeLeft(left: readonly OutboxEntry[], added: readonly OutboxEntry[]): OutboxEntry[] {
  const known = new Set(left.map(idOf))
  const revived = left.map((item) =>
    item.status === 'sending' ? { ...item, status: 'waiting' as const } : item,
  )
  return [...revived, ...added.filter((item) => !known.has(idOf(item)))]
}
