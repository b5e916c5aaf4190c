import type { KnownMessages } from './known-messages.ts'
import { mergeHints } from './message-list.ts'
import type { MessageFetcherOptions } from './message-fetcher.ts'
import type { HistoryQuery } from './ports.ts'
import type { Message } from '@sumlock/contracts/messaging-routes'

interface ChangedMessagesOptions extends Pick<MessageFetcherOptions, 'clock' | 'version'> {
  fetchPage: (query: HistoryQuery) => Promise<Message[]>
  known: KnownMessages
}

const pageSize = 200
/** Changes are fetched with the poll, too, because the server's announcement may be lost. */
const pollMs = 30_000

/** Reads the changes of messages in the order of their versions. */
export function createChangedMessages({ fetchPage, known, clock, version = 0 }: ChangedMessagesOptions) {
  let readVersion = version
  let announced = version
  let isWanted = false
  let readAtMs = clock.nowMs()
  return {
    /** Returns false if the changes up to this version were read. Without a version there may be any changes. */
    want(version?: number): boolean {
      if (version !== undefined && version <= readVersion) return false
      announced = Math.max(announced, version ?? 0)
      isWanted = true
      return true
    },
    async readIfDue(): Promise<void> {
      if (!isWanted && clock.nowMs() - readAtMs < pollMs) return
      const upTo = announced
      for (let isFull = true; isFull && !known.closed;) {
        const page = await fetchPage({ changedSince: readVersion, limit: pageSize })
        isFull = page.length >= pageSize
        // The server leaves out changes that this person is not shown.
        readVersion = Math.max(readVersion, page.at(-1)?.version ?? 0, isFull ? 0 : upTo)
        known.update(mergeHints(known.state, page), 'receivedByFetch')
      }
      readAtMs = clock.nowMs()
      isWanted = announced > readVersion
    },
  }
}
