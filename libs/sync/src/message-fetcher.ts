import { createChangedMessages } from './changed-messages.ts'
import { remedyOf, toFailure } from './failure.ts'
import { emptyConversation } from './known-messages.ts'
import type { KnownMessages } from './known-messages.ts'
import * as lists from './message-list.ts'
import type { HistoryQuery, SyncApi, SyncClock } from './ports.ts'
import { createScheduler } from './scheduler.ts'
import type { VanishWatch } from './vanishing.ts'
import { fetchEnds } from './vanishing-messages.ts'
import { within } from './within.ts'

export interface MessageFetcherOptions {
  conversationId: string
  userId: string
  api: Pick<SyncApi, 'listMessages'>
  clock: SyncClock
  /** If this is absent, no message vanishes here. */
  vanishing?: Pick<VanishWatch, 'nowMs'>
  pageSize: number
  /** The first page begins shortly before the messages after this seq. If this is absent, it is the newest page. */
  readSeq?: number | undefined
  /** So many changes of messages are already contained in what the first page brings; 0 when absent. */
  version?: number | undefined
  known: KnownMessages
  isVisible: () => boolean
}

/**
 * Fetches the messages of one conversation and their changes: on demand, every 30 s while it is visible, and again soon
 * after a failure or while a message is missing between two others.
 */
export interface MessageFetcher {
  /** Fetches new messages without waiting for the next poll. */
  now(): void
  /**
   * Fetches new and changed messages without waiting for the next poll. With a version, which the server has announced,
   * only if its changes were not fetched yet.
   */
  changes(version?: number): void
  /** Reschedules the next fetch, because the visibility has changed. */
  replan(): void
  loadOlder(): Promise<void>
  close(): void
}

const pollMs = { failure: 3_000, visible: 30_000, gap: 300 }
const answerWithinMs = 10_000
const catchUpLimit = 200
/** This many messages before the first unread one are fetched with it. */
const readShown = 10

export function createMessageFetcher(options: MessageFetcherOptions): MessageFetcher {
  const { conversationId, api, clock, pageSize, readSeq, known, isVisible } = options
  let gapRuns = 0
  /** The server was restored to a state before the held messages. */
  let isRestored = false

  const fetchPage = (query: HistoryQuery) => {
    known.stats.fetches += 1
    return within(clock, answerWithinMs, (signal) => api.listMessages(conversationId, query, signal))
  }
  const changed = createChangedMessages({ ...options, fetchPage })
  const fetchFirst = async () => {
    const limit = pageSize
    const unread =
      readSeq === undefined ? [] : await fetchPage({ after: Math.max(0, readSeq - readShown), limit })
    const isNewest = unread.length === 0
    const page = isNewest ? await fetchPage({ limit }) : unread
    known.update(lists.mergeFirstPage(known.state, page, limit, isNewest), 'receivedByFetch')
    if (known.state.hasNewer) await fetchNext()
  }
  const fetchNext = async () => {
    for (let isFull = true; isFull && !known.closed;) {
      const page = await fetchPage({ after: known.state.watermark, limit: catchUpLimit })
      isFull = page.length >= catchUpLimit
      known.update(lists.mergeNextPage(known.state, page, isFull), 'receivedByFetch')
    }
  }
  const beginAnew = async () => {
    const page = await fetchPage({ limit: pageSize })
    const { loadingOlder } = known.state
    known.update(lists.mergeFirstPage({ ...emptyConversation, loadingOlder }, page, pageSize))
    isRestored = false
  }
  const catchUp = async () => {
    try {
      await (known.state.loaded ? fetchNext() : fetchFirst())
      isRestored = (await changed.readIfDue()) || isRestored
      if (isRestored) await beginAnew()
      await fetchEnds(known, options, fetchPage)
      if (known.state.error) known.update({ ...known.state, error: null })
    } catch (cause) {
      known.update({ ...known.state, error: toFailure(cause) })
    }
    gapRuns = lists.hasGap(known.state) ? gapRuns + 1 : 0
  }
  const nextDelayMs = () => {
    const { error } = known.state
    if (error) return remedyOf(error) === 'retry' ? pollMs.failure : null
    if (lists.hasGap(known.state)) return Math.min(pollMs.failure, pollMs.gap * 2 ** gapRuns)
    return isVisible() ? pollMs.visible : null
  }
  const scheduler = createScheduler({ clock, work: catchUp, nextDelayMs })

  return {
    now: scheduler.now,
    changes: (version) => void (changed.want(version) && scheduler.now()),
    replan: scheduler.replan,
    close: scheduler.close,
    async loadOlder() {
      const { messages, hasOlder, loadingOlder } = known.state
      const [first] = messages
      if (!first || !hasOlder || loadingOlder) return
      known.update({ ...known.state, loadingOlder: true })
      try {
        const page = await fetchPage({ before: first.seq, limit: pageSize })
        if (known.state.messages[0]?.seq === first.seq) known.addOlder(page, pageSize)
      } catch (cause) {
        known.update({ ...known.state, error: toFailure(cause) })
      }
      known.update({ ...known.state, loadingOlder: false })
    },
  }
}
