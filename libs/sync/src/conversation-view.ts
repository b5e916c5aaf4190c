import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ServerEvent } from '@sumlock/contracts/socket'
import { createKnownMessages } from './known-messages.ts'
import type { ConversationState, MessageSource, SyncStats } from './known-messages.ts'
import { createMessageFetcher } from './message-fetcher.ts'
import * as lists from './message-list.ts'
import type { Outbox } from './outbox.ts'
import type { Cell, Draft, LiveConnection, LiveState, SyncApi, SyncClock } from './ports.ts'
import { createReadReporter } from './read-reporter.ts'
import { isStored } from './shown-conversation.ts'
import type { VanishWatch } from './vanishing.ts'
import { readMessages, vanishingPart } from './vanishing-messages.ts'

export interface ConversationViewOptions {
  conversationId: string
  /** The person who views the conversation. */
  userId: string
  /** The cell holds the view's state, at first `emptyConversation`. */
  cell: Cell<ConversationState>
  api: SyncApi
  live: LiveConnection
  outbox: Outbox
  clock: SyncClock
  /** Lets messages vanish in time. If this is absent, they vanish when the server says so. */
  vanishing?: VanishWatch
  /** True while the conversation is on the screen. */
  visible: boolean
  /**
   * The person has read up to this seq, and later messages are unread: the first page begins there, and the rest
   * follows. If this is absent, the first page is the newest one.
   */
  readSeq?: number | undefined
  /** The conversation had so many changes before it was opened; 0 when absent. */
  version?: number | undefined
  pageSize?: number
}

/**
 * The state of an open conversation comes to equal the messages stored on the server, even if the live connection
 * loses, repeats or reorders events. While the connection is lost, `refresh` fetches messages sooner. The view
 * neither owns nor closes the connection and the outbox.
 */
export interface ConversationView {
  /** Returns the content of the cell, which is the same object until something changes. */
  getState(): ConversationState
  readonly stats: Readonly<SyncStats>
  /** Puts a message into the outbox and returns its clientMessageId. */
  send(draft: Draft): string
  loadOlder(): Promise<void>
  /** While a conversation is visible, it is fetched every 30 s and what was shown counts as read. */
  setVisible(visible: boolean): void
  /** Call it when the messages up to `seq` were on the screen. */
  show(seq: number): void
  /** Call it when the person has read the messages up to `seq`, which may have been on another device. */
  readTo(seq: number): void
  /**
   * Fetches new messages. Call it when the server has announced a change; with the conversation's version, messages are
   * only fetched if that is higher than the version of the last fetch, and changed ones are, too.
   */
  refresh(version?: number): void
  /** Call it with a message that has changed. */
  take(message: Message): void
  /** Fetches and sends. Call it when the window came to the front or the device is online again. */
  onFocus(): void
  close(): void
}

/** Opens a conversation and begins to fetch its messages. */
export function openConversation(options: ConversationViewOptions): ConversationView {
  const { conversationId, userId, cell, api, live, outbox, vanishing, pageSize = 50 } = options
  let { visible } = options
  let shownSeq = 0

  const known = createKnownMessages(cell, () => {
    confirmStored(outbox, known.state.messages, userId)
    vanishing?.look()
    report()
  })
  const applyRead = (readerId: string, seq: number) => {
    if (readMessages(known, { userId, readerId, seq })) fetcher.now()
  }
  const reader = createReadReporter({
    clock: options.clock,
    userId,
    markRead: async (seq, signal) => {
      await api.markRead(conversationId, seq, signal)
      applyRead(userId, seq)
    },
  })
  const report = () => {
    if (visible) reader.report(known.state, shownSeq)
  }
  const fetcher = createMessageFetcher({ ...options, pageSize, known, isVisible: () => visible })
  const catchUp = () => {
    fetcher.changes()
    outbox.kick()
  }

  const takeMessage = (message: Message, source: MessageSource) => {
    if (message.conversationId !== conversationId) return
    known.hint([message], source)
    if (known.state.loaded && lists.hasGap(known.state)) fetcher.now()
  }
  const onEvent = (event: ServerEvent) => {
    if (event.type === 'new_message') takeMessage(event.data, 'receivedBySocket')
    if (event.type === 'message_changed' && event.data.conversationId === conversationId)
      fetcher.changes(event.data.version)
    if (event.type === 'conversation_changed' && event.data.conversationId === conversationId) fetcher.now()
    if (event.type === 'message_read' && event.data.conversationId === conversationId)
      applyRead(event.data.readerId, event.data.seq)
  }
  const stops = [
    live.subscribe({ onEvent, onState: onRecovery(live.state, catchUp) }),
    outbox.onStored((message) => takeMessage(message, 'receivedByAnswer')),
    ...(vanishing ? [vanishing.add(vanishingPart(known, { conversationId, userId, outbox }))] : []),
  ]
  fetcher.now()

  return {
    getState: cell.get,
    stats: known.stats,
    send: (draft) => outbox.add(conversationId, draft),
    loadOlder: fetcher.loadOlder,
    setVisible(value) {
      if (value === visible) return
      visible = value
      report()
      if (visible) fetcher.now()
      fetcher.replan()
    },
    show(seq) {
      if (seq <= shownSeq) return
      shownSeq = seq
      report()
    },
    readTo: (seq) => applyRead(userId, seq),
    refresh: (version) => (version === undefined ? fetcher.now() : fetcher.changes(version)),
    take: (message) => takeMessage(message, 'receivedByAnswer'),
    onFocus: catchUp,
    close() {
      known.close()
      fetcher.close()
      reader.close()
      for (const stop of stops) stop()
    },
  }
}

/** Removes messages from the outbox that are stored, although the response to their send was lost. */
function confirmStored(outbox: Outbox, messages: readonly Message[], userId: string): void {
  for (const { message } of outbox.items)
    if (isStored(messages, { senderId: userId, clientMessageId: message.clientMessageId }))
      outbox.confirm(message.clientMessageId)
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
