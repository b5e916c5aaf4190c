import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ServerEvent } from '@sumlock/contracts/socket'
import { remedyOf, toFailure } from './failure.ts'
import { createListeners } from './listeners.ts'
import * as lists from './message-list.ts'
import type { MessageList } from './message-list.ts'
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
import { createRepeater } from './repeater.ts'
import { within } from './within.ts'

export interface ConversationState {
  /** What the server has stored, ascending by `seq`, every message once. */
  readonly messages: readonly Message[]
  /** Own messages the server has not confirmed yet, oldest first. */
  readonly pending: readonly OutboxItem[]
  /** Whether `messages` shows the newest page at least. */
  readonly loaded: boolean
  readonly hasOlder: boolean
  readonly loadingOlder: boolean
  /** Why the last fetch failed; null after one that did not. */
  readonly error: SyncFailure | null
}

/** How messages became known first. Everybody's messages count, own ones too. */
export interface SyncStats {
  receivedBySocket: number
  receivedByFetch: number
  /** Own messages known first by the answer to their sending. */
  receivedByAnswer: number
  fetches: number
}

export interface ConversationViewOptions {
  conversationId: string
  /** Who looks at it. */
  userId: string
  api: SyncApi
  live: LiveConnection
  outbox: Outbox
  clock: SyncClock
  /** Whether a person can see it now. */
  visible?: boolean
  pageSize?: number
}

/**
 * One open conversation that converges to what the server has stored, whatever the live connection loses, doubles or
 * turns round. It neither owns nor closes the connection and the outbox.
 */
export interface ConversationView {
  /** The same object until something changes. */
  getState(): ConversationState
  subscribe(listener: () => void): () => void
  readonly stats: Readonly<SyncStats>
  /** Puts a message into the outbox and answers with its clientMessageId. */
  send(draft: Draft): string
  retry(clientMessageId: string): void
  discard(clientMessageId: string): void
  loadOlder(): Promise<void>
  /** Visible conversations are compared every 30 s, and what they show counts as read. */
  setVisible(visible: boolean): void
  /** The window came to the front, or the device is online again. */
  onFocus(): void
  close(): void
}

const pollMs = { cutOff: 3_000, visible: 30_000, gap: 300 }
const answerWithinMs = 10_000
const catchUpLimit = 200

/** Opens a conversation and begins to fetch. */
export function openConversation(options: ConversationViewOptions): ConversationView {
  const { conversationId, userId, api, live, outbox, clock, pageSize = 50 } = options
  let list: MessageList = lists.emptyList
  let error: SyncFailure | null = null
  let loadingOlder = false
  let visible = options.visible ?? true
  let gapRuns = 0
  let closed = false
  let state: ConversationState | undefined
  const changed = createListeners<[]>()
  const stats: SyncStats = { receivedBySocket: 0, receivedByFetch: 0, receivedByAnswer: 0, fetches: 0 }

  const notify = () => {
    if (closed) return
    state = undefined
    changed.tell()
  }
  const update = (
    next: MessageList,
    source?: 'receivedBySocket' | 'receivedByFetch' | 'receivedByAnswer',
  ) => {
    if (next === list) return
    if (source) stats[source] += next.messages.length - list.messages.length
    list = next
    notify()
    for (const { message } of outbox.items)
      if (isStored(message.clientMessageId)) outbox.confirm(message.clientMessageId)
    if (visible) reader.report(list)
  }
  const isStored = (clientMessageId: string) =>
    list.messages.some(
      (message) => message.clientMessageId === clientMessageId && message.senderId === userId,
    )

  const fetchPage = (query: { after?: number; before?: number; limit: number }) => {
    stats.fetches += 1
    return within(clock, answerWithinMs, (signal) => api.listMessages(conversationId, query, signal))
  }
  const fetchFirst = async () => {
    const page = await fetchPage({ limit: pageSize })
    update(lists.mergeFirstPage(list, page, pageSize), 'receivedByFetch')
  }
  const fetchNext = async () => {
    for (let isFull = true; isFull;) {
      const page = await fetchPage({ after: list.watermark, limit: catchUpLimit })
      update(lists.mergeNextPage(list, page), 'receivedByFetch')
      isFull = page.length >= catchUpLimit
    }
  }
  const catchUp = async () => {
    const before = error
    try {
      await (list.loaded ? fetchNext() : fetchFirst())
      error = null
    } catch (cause) {
      error = toFailure(cause)
    }
    gapRuns = lists.hasGap(list) ? gapRuns + 1 : 0
    if (error !== before) notify()
  }
  const nextDelayMs = () => {
    if (error && remedyOf(error) !== 'retry') return null
    if (error || !live.state.connected || live.state.degraded) return pollMs.cutOff
    if (lists.hasGap(list)) return Math.min(pollMs.cutOff, pollMs.gap * 2 ** gapRuns)
    return visible ? pollMs.visible : null
  }
  const fetching = createRepeater({ clock, work: catchUp, nextDelayMs })
  const reader = createReadReporter({
    clock,
    userId,
    markRead: (seq, signal) => api.markRead(conversationId, seq, signal),
  })

  const hint = (message: Message, source: 'receivedBySocket' | 'receivedByAnswer') => {
    if (message.conversationId !== conversationId) return
    update(lists.mergeHint(list, message), source)
    if (list.loaded && lists.hasGap(list)) fetching.now()
  }
  const onEvent = (event: ServerEvent) => {
    if (event.type === 'new_message') hint(event.data, 'receivedBySocket')
    if (event.type === 'message_read' && event.data.conversationId === conversationId)
      update(lists.applyRead(list, event.data.readerId, event.data.seq))
  }
  let wasGood = live.state.connected && !live.state.degraded
  const onState = ({ connected, degraded }: LiveState) => {
    const isGood = connected && !degraded
    // Whatever was said while we could not hear has to be asked for.
    if (isGood && !wasGood) {
      fetching.now()
      outbox.kick()
    }
    wasGood = isGood
    fetching.replan()
  }
  const stops = [
    live.subscribe({ onEvent, onState }),
    outbox.onStored((message) => hint(message, 'receivedByAnswer')),
    outbox.subscribe(notify),
  ]
  fetching.now()

  return {
    getState: () =>
      (state ??= {
        messages: list.messages,
        pending: outbox.items.filter(
          ({ message }) => message.conversationId === conversationId && !isStored(message.clientMessageId),
        ),
        ...{ loaded: list.loaded, hasOlder: list.hasOlder, loadingOlder, error },
      }),
    subscribe: changed.add,
    stats,
    send: (draft) => outbox.add(conversationId, draft),
    retry: outbox.retry,
    discard: outbox.discard,
    async loadOlder() {
      const [first] = list.messages
      if (!first || !list.hasOlder || loadingOlder) return
      loadingOlder = true
      notify()
      try {
        const page = await fetchPage({ before: first.seq, limit: pageSize })
        update(lists.mergeOlderPage(list, page, pageSize), 'receivedByFetch')
      } catch (cause) {
        error = toFailure(cause)
      }
      loadingOlder = false
      notify()
    },
    setVisible(value) {
      if (value === visible) return
      visible = value
      if (visible) reader.report(list)
      if (visible) fetching.now()
      fetching.replan()
    },
    onFocus() {
      fetching.now()
      outbox.kick()
    },
    close() {
      closed = true
      fetching.close()
      reader.close()
      for (const stop of stops) stop()
    },
  }
}
