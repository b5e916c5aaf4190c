import type { Message } from '@sumlock/contracts/messaging-routes'
import { mergeHints, mergeOlderPage } from './message-list.ts'
import type { MessageList } from './message-list.ts'
import type { Cell, SyncFailure } from './ports.ts'

/** The client holds this state of an open conversation. */
export interface ConversationState extends MessageList {
  readonly loadingOlder: boolean
  /** The last fetch failed with this error; null after a success. */
  readonly error: SyncFailure | null
}

export const emptyConversation: ConversationState = {
  messages: [],
  watermark: 0,
  loaded: false,
  hasOlder: false,
  hasNewer: false,
  loadingOlder: false,
  error: null,
}

/** Counts how each message, own ones included, first reached this client. */
export interface SyncStats {
  receivedBySocket: number
  receivedByFetch: number
  /** Counts own messages that first came with the response to their send. */
  receivedByAnswer: number
  fetches: number
}

export type MessageSource = 'receivedBySocket' | 'receivedByFetch' | 'receivedByAnswer'

/** Writes the state of a conversation into its cell until it is closed. */
export interface KnownMessages {
  readonly state: ConversationState
  readonly stats: SyncStats
  readonly closed: boolean
  update(next: ConversationState, source?: MessageSource): void
  /** Adds messages from the live connection or an answer, and messages that have changed. */
  hint(messages: readonly Message[], source: MessageSource): void
  /** Adds the page that ends before the first held message. Changes that came after its request count. */
  addOlder(page: readonly Message[], limit: number): void
  /** Later calls of `update` write nothing. */
  close(): void
}

/** `onChange` is called after each change of the messages or the watermark. */
export function createKnownMessages(cell: Cell<ConversationState>, onChange: () => void): KnownMessages {
  const stats: SyncStats = { receivedBySocket: 0, receivedByFetch: 0, receivedByAnswer: 0, fetches: 0 }
  let closed = false
  /** Hints that came while an older page was on its way. */
  let late: readonly Message[] = []
  const known: KnownMessages = {
    get state() {
      return cell.get()
    },
    get closed() {
      return closed
    },
    stats,
    update(next, source) {
      const before = cell.get()
      if (closed || next === before) return
      if (source) stats[source] += next.messages.length - before.messages.length
      cell.set(next)
      if (next.messages !== before.messages || next.watermark !== before.watermark) onChange()
    },
    hint(messages, source) {
      if (known.state.loadingOlder) late = [...late, ...messages]
      known.update(mergeHints(known.state, messages), source)
    },
    addOlder(page, limit) {
      known.update(mergeHints(mergeOlderPage(known.state, page, limit), late), 'receivedByFetch')
      late = []
    },
    close: () => void (closed = true),
  }
  return known
}
