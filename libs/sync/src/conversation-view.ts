import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ServerEvent } from '@sumlock/contracts/socket'
import { createListeners } from './listeners.ts'
import { createMessageFetcher } from './message-fetcher.ts'
import type { MessageFetcher } from './message-fetcher.ts'
import * as lists from './message-list.ts'
import type { KnownMessages, MessageSource, SyncStats } from './message-list.ts'
import type { Outbox } from './outbox.ts'
import type {
  Draft,
  LiveConnection,
  LiveState,
  OutboxItem,
  SyncApi,
  SyncClock,
  SyncFailure,
} from './ports.ts'
import { createReadReporter } from './read-reporter.ts'

export interface ConversationState {
  /** Stored messages, ascending by `seq`, each once. */
  readonly messages: readonly Message[]
  /** Own messages that the server has not confirmed yet, oldest first. */
  readonly pending: readonly OutboxItem[]
  /** Whether `messages` contains at least the newest page. */
  readonly loaded: boolean
  readonly hasOlder: boolean
  readonly loadingOlder: boolean
  /** Why the last fetch failed; null after a success. */
  readonly error: SyncFailure | null
}

export interface ConversationViewOptions {
  conversationId: string
  /** The viewer. */
  userId: string
  api: SyncApi
  live: LiveConnection
  outbox: Outbox
  clock: SyncClock
  /** Whether the conversation is on screen. */
  visible: boolean
  pageSize?: number
}

/**
 * One open conversation. It converges to the messages stored on the server even if the live connection loses, repeats or
 * reorders some; while it is lost, `refresh` brings them sooner. It neither owns nor closes the connection and the outbox.
 */
export interface ConversationView {
  /** The same object until something changes. */
  getState(): ConversationState
  subscribe(listener: () => void): () => void
  readonly stats: Readonly<SyncStats>
  /** Puts a message into the outbox and returns its clientMessageId. */
  send(draft: Draft): string
  retry(clientMessageId: string): void
  discard(clientMessageId: string): void
  loadOlder(): Promise<void>
  /** A visible conversation is fetched every 30 s, and its messages count as read. */
  setVisible(visible: boolean): void
  /** Fetches new messages, because the server has announced a change. */
  refresh(): void
  /** The window came to the front, or the device is online again. */
  onFocus(): void
  close(): void
}

/** Opens a conversation and begins to fetch. */
export function openConversation(options: ConversationViewOptions): ConversationView {
  const { conversationId, userId, api, live, outbox, pageSize = 50 } = options
  let { visible } = options
  let closed = false
  let state: ConversationState | undefined
  const changed = createListeners<[]>()
  const notify = () => {
    if (closed) return
    state = undefined
    changed.emit()
  }

  const known = lists.createKnownMessages(userId, () => {
    notify()
    for (const { message } of outbox.items)
      if (known.isStored(message.clientMessageId)) outbox.confirm(message.clientMessageId)
    if (visible) reader.report(known.list)
  })
  const reader = createReadReporter({
    clock: options.clock,
    userId,
    markRead: (seq, signal) => api.markRead(conversationId, seq, signal),
  })
  const fetcher = createMessageFetcher({
    ...options,
    pageSize,
    known,
    isVisible: () => visible,
    onChange: notify,
  })
  const catchUp = () => {
    fetcher.now()
    outbox.kick()
  }

  const takeMessage = (message: Message, source: MessageSource) => {
    if (message.conversationId !== conversationId) return
    known.update(lists.mergeHint(known.list, message), source)
    if (known.list.loaded && lists.hasGap(known.list)) fetcher.now()
  }
  const onEvent = (event: ServerEvent) => {
    if (event.type === 'new_message') takeMessage(event.data, 'receivedBySocket')
    if (event.type === 'message_read' && event.data.conversationId === conversationId)
      known.update(lists.applyRead(known.list, event.data.readerId, event.data.seq))
  }
  const stops = [
    live.subscribe({ onEvent, onState: onRecovery(live.state, catchUp) }),
    outbox.onStored((message) => takeMessage(message, 'receivedByAnswer')),
    outbox.subscribe(notify),
  ]
  fetcher.now()

  return {
    getState: () => (state ??= stateOf(conversationId, outbox, known, fetcher)),
    subscribe: changed.add,
    stats: known.stats,
    send: (draft) => outbox.add(conversationId, draft),
    retry: outbox.retry,
    discard: outbox.discard,
    loadOlder: fetcher.loadOlder,
    setVisible(value) {
      if (value === visible) return
      visible = value
      if (visible) reader.report(known.list)
      if (visible) fetcher.now()
      fetcher.replan()
    },
    refresh: fetcher.now,
    onFocus: catchUp,
    close() {
      closed = true
      fetcher.close()
      reader.close()
      for (const stop of stops) stop()
    },
  }
}

/** Calls `catchUp` when the connection recovers, because events may have been missed. */
function onRecovery(first: LiveState, catchUp: () => void) {
  const isGood = ({ connected, degraded }: LiveState) => connected && !degraded
  let wasGood = isGood(first)
  return (state: LiveState) => {
    if (isGood(state) && !wasGood) catchUp()
    wasGood = isGood(state)
  }
}

const stateOf = (
  conversationId: string,
  outbox: Outbox,
  known: KnownMessages,
  { loadingOlder, error }: MessageFetcher,
): ConversationState => ({
  messages: known.list.messages,
  pending: outbox.items.filter(
    ({ message }) => message.conversationId === conversationId && !known.isStored(message.clientMessageId),
  ),
  loaded: known.list.loaded,
  hasOlder: known.list.hasOlder,
  loadingOlder,
  error,
})
