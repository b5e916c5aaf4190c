import * as lists from './message-list.ts'
import type { MessageList } from './message-list.ts'

/** Counts how each message, own ones included, first reached this client. */
export interface SyncStats {
  receivedBySocket: number
  receivedByFetch: number
  /** Own messages first known from the response to their send. */
  receivedByAnswer: number
  fetches: number
}

export type MessageSource = 'receivedBySocket' | 'receivedByFetch' | 'receivedByAnswer'

/** The stored messages that one open conversation knows. */
export interface KnownMessages {
  readonly list: MessageList
  readonly stats: SyncStats
  update(next: MessageList, source?: MessageSource): void
  /** Whether the server has stored this message of the viewer. */
  isStored(clientMessageId: string): boolean
}

export function createKnownMessages(userId: string, onChange: () => void): KnownMessages {
  let list = lists.emptyList
  const stats: SyncStats = { receivedBySocket: 0, receivedByFetch: 0, receivedByAnswer: 0, fetches: 0 }
  return {
    get list() {
      return list
    },
    stats,
    update(next, source) {
      if (next === list) return
      if (source) stats[source] += next.messages.length - list.messages.length
      list = next
      onChange()
    },
    isStored: (clientMessageId) =>
      list.messages.some(
        (message) => message.clientMessageId === clientMessageId && message.senderId === userId,
      ),
  }
}
