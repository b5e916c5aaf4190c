import type { Clock } from './clock.ts'

/** A part of an answer, the oldest change first. */
export interface ChangePage<T, P> {
  changes: readonly T[]
  /** Where the next page begins; undefined after the last one. */
  next?: P | undefined
}

export interface ChangeFeedOptions<T, P> {
  /** A page of the changes from a position on. */
  ask: (from: P) => Promise<ChangePage<T, P>>
  /** Returns the same key for a repeated change, and another one for a later change. */
  keyOf: (change: T) => string
  /** Applies changes. Must be safe to repeat: after a failure it receives the same changes again. */
  apply: (changes: readonly T[]) => Promise<void> | void
  /** Returns false for a change that is not final: it is applied again the next time it is read. True by default. */
  isFinal?: (change: T) => boolean
}

/**
 * Returns a function that reads all pages from a position on, and applies those changes that the reading before did not
 * contain, or that were not final in it. A change may become visible after a later one: let each reading begin longer before
 * the end of the previous one than a change can be late.
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
        // A later page may fail: what was applied until then is not applied again.
        applied.add(key)
      }
      position = next
    }
    applied = answered
  }
}

/** It is longer than any transaction of the other service, because a change may become visible after a later one. */
const overlapMs = 60_000
/**
 * The clocks of this process and of the other service differ by less than this. With a larger difference, only a change
 * that becomes visible late is missed.
 */
const clockDifferenceMs = 60_000
/** The value is not 0, the date of changes from before there was a list. */
const beginningMs = 1

/** The position up to which changes were read and applied; a process that starts later begins there. */
export interface StoredCursor {
  read(this: void): Promise<Date | undefined>
  /** The position never moves back, because other processes read the same changes. */
  moveTo(this: void, until: Date): Promise<void>
}

export interface DatedChangeFeedOptions<T> {
  clock: Pick<Clock, 'nowMs'>
  /** A page of the changes since a time, oldest first. */
  ask: (since: Date) => Promise<T[]>
  pageSize: number
  apply: (changes: readonly T[]) => Promise<void>
  cursor: StoredCursor
}

/**
 * A feed of changes whose dates are its position. Returns a function that applies what is new; its first call goes on where the
 * stored cursor is, or reads all changes when there is none. The cursor moves after each page, so that a long reading can be
 * interrupted.
 */
export function createDatedChangeFeed<T extends { changedAt: string }>({
  clock,
  ask,
  pageSize,
  apply,
  cursor,
}: DatedChangeFeedOptions<T>): (stopping?: AbortSignal) => Promise<void> {
  let seenUntilMs: number | undefined
  /** All changes before this were answered, and none becomes visible any more. */
  let completeUntilMs = -Infinity
  /** The dates of the changes that may be answered again. */
  const applied = new Map<string, number>()

  const applyPage = async (changes: readonly T[]): Promise<void> => {
    const news = changes.filter((change) => !applied.has(JSON.stringify(change)))
    if (news.length > 0) await apply(news)
    for (const change of changes) applied.set(JSON.stringify(change), Date.parse(change.changedAt))
  }
  /** The cursor moves after `apply`, so that changes are read again when it fails. */
  const moveTo = async (untilMs: number, seenMs: number): Promise<number> => {
    if (untilMs <= seenMs) return seenMs
    await cursor.moveTo(new Date(untilMs))
    for (const [key, dateMs] of applied) if (dateMs < untilMs - overlapMs) applied.delete(key)
    return untilMs
  }

  return async (stopping) => {
    const askedAtMs = clock.nowMs()
    seenUntilMs ??= (await cursor.read())?.getTime() ?? beginningMs
    let sinceMs = Math.max(seenUntilMs - overlapMs, completeUntilMs, beginningMs)
    for (let isLast = false; !isLast && !stopping?.aborted;) {
      const changes = await ask(new Date(sinceMs))
      await applyPage(changes)
      const last = changes.at(-1)
      const lastMs = last ? Date.parse(last.changedAt) : sinceMs
      // A full page that did not get further: one instant has more changes than a page.
      isLast = changes.length < pageSize || lastMs <= sinceMs
      sinceMs = lastMs
      // A date in the future would hide the changes until then.
      if (last) seenUntilMs = await moveTo(Math.min(lastMs, askedAtMs + clockDifferenceMs), seenUntilMs)
      if (isLast) completeUntilMs = Math.min(seenUntilMs, askedAtMs - overlapMs - clockDifferenceMs)
    }
  }
}
