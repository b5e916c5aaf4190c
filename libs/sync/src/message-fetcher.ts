import { remedyOf, toFailure } from './failure.ts'
import * as lists from './message-list.ts'
import type { KnownMessages } from './message-list.ts'
import type { SyncApi, SyncClock, SyncFailure } from './ports.ts'
import { createScheduler } from './scheduler.ts'
import { within } from './within.ts'

export interface MessageFetcherOptions {
  conversationId: string
  api: Pick<SyncApi, 'listMessages'>
  clock: SyncClock
  pageSize: number
  known: KnownMessages
  isVisible: () => boolean
  /** Called when `error` or `loadingOlder` has changed. */
  onChange: () => void
}

/** Fetches the messages of one conversation: on demand, every 30 s while it is visible, and again after a failure or on a gap. */
export interface MessageFetcher {
  /** Why the last fetch failed; null after a success. */
  readonly error: SyncFailure | null
  readonly loadingOlder: boolean
  /** Fetches new messages. */
  now(): void
  /** Reschedules the next fetch. */
  replan(): void
  loadOlder(): Promise<void>
  close(): void
}

const pollMs = { failure: 3_000, visible: 30_000, gap: 300 }
const answerWithinMs = 10_000
const catchUpLimit = 200

export function createMessageFetcher(options: MessageFetcherOptions): MessageFetcher {
  const { conversationId, api, clock, pageSize, known, isVisible, onChange } = options
  let error: SyncFailure | null = null
  let loadingOlder = false
  let gapRuns = 0

  const fetchPage = (query: { after?: number; before?: number; limit: number }) => {
    known.stats.fetches += 1
    return within(clock, answerWithinMs, (signal) => api.listMessages(conversationId, query, signal))
  }
  const fetchFirst = async () => {
    const page = await fetchPage({ limit: pageSize })
    known.update(lists.mergeFirstPage(known.list, page, pageSize), 'receivedByFetch')
  }
  const fetchNext = async () => {
    for (let isFull = true; isFull;) {
      const page = await fetchPage({ after: known.list.watermark, limit: catchUpLimit })
      known.update(lists.mergeNextPage(known.list, page), 'receivedByFetch')
      isFull = page.length >= catchUpLimit
    }
  }
  const catchUp = async () => {
    const before = error
    try {
      await (known.list.loaded ? fetchNext() : fetchFirst())
      error = null
    } catch (cause) {
      error = toFailure(cause)
    }
    gapRuns = lists.hasGap(known.list) ? gapRuns + 1 : 0
    if (error !== before) onChange()
  }
  const nextDelayMs = () => {
    if (error) return remedyOf(error) === 'retry' ? pollMs.failure : null
    if (lists.hasGap(known.list)) return Math.min(pollMs.failure, pollMs.gap * 2 ** gapRuns)
    return isVisible() ? pollMs.visible : null
  }
  const scheduler = createScheduler({ clock, work: catchUp, nextDelayMs })

  return {
    get error() {
      return error
    },
    get loadingOlder() {
      return loadingOlder
    },
    now: scheduler.now,
    replan: scheduler.replan,
    close: scheduler.close,
    async loadOlder() {
      const [first] = known.list.messages
      if (!first || !known.list.hasOlder || loadingOlder) return
      loadingOlder = true
      onChange()
      try {
        const page = await fetchPage({ before: first.seq, limit: pageSize })
        known.update(lists.mergeOlderPage(known.list, page, pageSize), 'receivedByFetch')
      } catch (cause) {
        error = toFailure(cause)
      }
      loadingOlder = false
      onChange()
    },
  }
}
