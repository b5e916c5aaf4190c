import type { Clock } from '@sumlock/service-kit/clock'

export interface ReconcileOptions<T extends { changedAt: string }> {
  clock: Pick<Clock, 'nowMs'>
  /** Whether events arrive: then only a lost one has to be found. */
  hearsEvents: () => boolean
  /** A page of the changes since a time, oldest first. */
  ask: (since: Date) => Promise<T[]>
  /** Stores those that are news. */
  apply: (page: readonly T[]) => Promise<void>
}

/** Longer than any transaction of the other service: a change may become visible after a later one. */
const overlapMs = 60_000
/** Between the clocks of this process and of the other service; where it is larger, only a change that becomes visible late is missed. */
const clockDifferenceMs = 60_000
const firstLookBackMs = 24 * 3_600_000
const restMs = 20_000

/**
 * Returns a function that applies changes whose events were missed; call it every second. It asks at each call while Kafka
 * is silent, otherwise every 20 s.
 */
export function createReconcile<T extends { changedAt: string }>({
  clock,
  hearsEvents,
  ask,
  apply,
}: ReconcileOptions<T>): () => Promise<void> {
  let seenUntilMs = clock.nowMs() - firstLookBackMs
  /** All changes before this were answered, and none becomes visible any more. */
  let completeUntilMs = -Infinity
  let askedAtMs = -Infinity
  /** What was applied and is answered again, because of the overlap: to write it again would be all that an idle service does. */
  let applied = new Set<string>()
  return async () => {
    if (hearsEvents() && clock.nowMs() - askedAtMs < restMs) return
    askedAtMs = clock.nowMs()
    let since = new Date(Math.max(seenUntilMs - overlapMs, completeUntilMs))
    const answered = new Set<string>()
    for (;;) {
      const page = await ask(since)
      const isKnown = (text: string) => applied.has(text) || answered.has(text)
      const news = page.filter((change) => !isKnown(JSON.stringify(change)))
      if (news.length > 0) await apply(news)
      for (const change of page) answered.add(JSON.stringify(change))
      const last = page.at(-1)
      if (!last) break
      seenUntilMs = Math.max(seenUntilMs, Date.parse(last.changedAt))
      // A page that did not get further was the last one, or one instant has more changes than a page.
      if (Date.parse(last.changedAt) <= since.getTime()) break
      since = new Date(last.changedAt)
    }
    applied = answered
    completeUntilMs = Math.min(seenUntilMs, askedAtMs - overlapMs - clockDifferenceMs)
  }
}
