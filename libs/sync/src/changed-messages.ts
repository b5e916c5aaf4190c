import type { KnownMessages } from './known-messages.ts'
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
/** A row of the list may count changes that a page of messages does not contain yet. */
const rowsLead = 10

/** Reads the changes of messages in the order of their versions. */
export function createChangedMessages({ fetchPage, known, clock, version = 0 }: ChangedMessagesOptions) {
  /** Only pages of changes move this on, because an announced change may not be shown yet. */
  let readVersion = Math.max(0, version - rowsLead)
  /** Changes up to this announced version were requested, or soon are. */
  let askedVersion = version
  /** The server has announced a lower version than this one, up to which changes were read. */
  let formerVersion = 0
  let isWanted = false
  let readAtMs = clock.nowMs()
  const readAll = async () => {
    for (let isFull = true; isFull && !known.closed;) {
      const page = await fetchPage({ changedSince: readVersion, limit: pageSize })
      isFull = page.length >= pageSize
      readVersion = Math.max(readVersion, page.at(-1)?.version ?? 0)
      known.hint(page, 'receivedByFetch')
    }
  }
  return {
    /**
     * Returns false if the changes up to this version were requested. Without a version there may be any changes. A
     * version below that is a late announcement, or the server was restored.
     */
    want(version?: number): boolean {
      if (version === askedVersion) return false
      if (version !== undefined && version < readVersion) {
        formerVersion = Math.max(formerVersion, readVersion)
        readVersion = version
      }
      askedVersion = version ?? askedVersion
      isWanted = true
      return true
    },
    /** Resolves to true if the server was restored to an earlier state, in which the known versions mean nothing. */
    async readIfDue(): Promise<boolean> {
      // The clock of the device may have been set back.
      if (!isWanted && Math.abs(clock.nowMs() - readAtMs) < pollMs) return false
      isWanted = false
      try {
        await readAll()
      } catch (error) {
        isWanted = true
        throw error
      }
      readAtMs = clock.nowMs()
      askedVersion = Math.max(askedVersion, readVersion)
      const isRestored = readVersion < formerVersion
      formerVersion = 0
      return isRestored
    },
  }
}
