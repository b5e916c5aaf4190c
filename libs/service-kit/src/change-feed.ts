import type { Clock } from './clock.ts'

/** One page of changes, oldest first, as the other service returns it. */
export interface ChangePage<T, P> {
  changes: readonly T[]
  /** The next page begins at this position; undefined after the last page. */
  next?: P | undefined
}

export interface ChangeFeedOptions<T, P> {
  /** Fetches one page of changes, beginning at a position. */
  ask: (from: P) => Promise<ChangePage<T, P>>
  /** Returns the same key for a repeated change, and another one for a later change. */
  keyOf: (change: T) => string
  /** Applies changes. Must be safe to repeat: after a failure it receives the same changes again. */
  apply: (changes: readonly T[]) => Promise<void> | void
  /** Returns false for a change that is not final: it is applied again the next time it is read. True by default. */
  isFinal?: (change: T) => boolean
}

/**
 * Returns a function that reads all pages from a position on and applies the changes in them. A change that the
 * previous call also read is skipped if it was final. Changes may become visible out of order, so each call must
 * begin earlier than the end of the previous one, by more than a change can be late.
 */
export function createChangeFeed<T, P>({
  ask,
  keyOf,
  apply,
  isFinal = () => true,
}: ChangeFeedOptions<T, P>): (from: P) => Promise<void> {
  let applied = new Set<string>()
  return async (from) => {
    const answered = new Set<string>()
    for (let position: P | undefined = from; position !== undefined;) {
      const { changes, next }: ChangePage<T, P> = await ask(position)
      const news = changes.filter((change) => !applied.has(keyOf(change)))
      if (news.length > 0) await apply(news)
      for (const key of changes.filter(isFinal).map(keyOf)) {
        answered.add(key)
        // A later page may fail. Its repetition must not apply the changes of this page again.
        applied.add(key)
      }
      position = next
    }
    applied = answered
  }
}

/**
 * Each reading begins this much earlier than the last one ended. No transaction of the other service is longer, so a
 * change that became visible late is still read.
 */
const overlapMs = 60_000
/**
 * The clocks of this process and of the other service must not differ by more than this. With a larger difference,
 * changes that become visible late may be missed.
 */
const clockDifferenceMs = 60_000
/** Reading begins at 1, because rows from before the list of changes existed have the date 0 and are not to be read. */
const beginningMs = 1

/** Stores the date up to which changes were read and applied. A process that starts later continues from it. */
export interface StoredCursor {
  read(this: void): Promise<Date | undefined>
  /** Must not move the date back, because other processes read and store the same position. */
  moveTo(this: void, until: Date): Promise<void>
}

export interface DatedChangeFeedOptions<T> {
  clock: Pick<Clock, 'nowMs'>
  /** Fetches at most `pageSize` changes since a time, oldest first. */
  ask: (since: Date) => Promise<T[]>
  pageSize: number
  apply: (changes: readonly T[]) => Promise<void>
  cursor: StoredCursor
}

/**
 * Returns a function that reads the changes by date and applies the new ones. Its first call continues at the stored
 * cursor, or reads all changes when there is none. The cursor moves after each page, so that an interrupted reading
 * loses nothing.
 */
export function createDatedChangeFeed<T extends { changedAt: string }>({
  clock,
  ask,
  pageSize,
  apply,
  cursor,
}: DatedChangeFeedOptions<T>): (stopping?: AbortSignal) => Promise<void> {
  let seenUntilMs: number | undefined
  /** All changes before this time were read, and no further one can become visible. */
  let completeUntilMs = -Infinity
  /** Changes that may be read again, with their dates. */
  const applied = new Map<string, number>()

  const applyPage = async (changes: readonly T[]): Promise<void> => {
    const news = changes.filter((change) => !applied.has(JSON.stringify(change)))
    if (news.length > 0) await apply(news)
    for (const change of changes) applied.set(JSON.stringify(change), Date.parse(change.changedAt))
  }
  /** The caller first applies the changes and then moves the cursor, so that a failed page is read again. */
  const moveTo = async (untilMs: number, seenMs: number): Promise<number> => {
    if (untilMs <= seenMs) return seenMs
    await cursor.moveTo(new Date(untilMs))
    for (const [key, dateMs] of applied)
      if (dateMs < untilMs - overlapMs - clockDifferenceMs) applied.delete(key)
    return untilMs
  }

  return async (stopping) => {
    const askedAtMs = clock.nowMs()
    seenUntilMs ??= (await cursor.read())?.getTime() ?? beginningMs
    // The clocks may have been set back since the last reading: later changes then have earlier dates.
    const fromMs = Math.min(seenUntilMs, askedAtMs) - overlapMs
    const quietUntilMs = Math.min(completeUntilMs, askedAtMs - overlapMs - clockDifferenceMs)
    let sinceMs = Math.max(fromMs, quietUntilMs, beginningMs)
    for (let isLast = false; !isLast && !stopping?.aborted;) {
      const changes = await ask(new Date(sinceMs))
      await applyPage(changes)
      const last = changes.at(-1)
      const lastMs = last ? Date.parse(last.changedAt) : sinceMs
      // The page is full, but all its changes have the date it began with: reading on would return the same page.
      isLast = changes.length < pageSize || lastMs <= sinceMs
      sinceMs = lastMs
      // A cursor in the future would skip the changes until then.
      if (last) seenUntilMs = await moveTo(Math.min(lastMs, askedAtMs + clockDifferenceMs), seenUntilMs)
      if (isLast) completeUntilMs = Math.min(seenUntilMs, askedAtMs - overlapMs - clockDifferenceMs)
    }
  }
}
