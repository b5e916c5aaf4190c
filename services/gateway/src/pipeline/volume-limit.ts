import type { Limiter } from '../infrastructure/shared-limiter.ts'
import { waitMsOf } from './counters.ts'

/** A limit that no request waits for. Requests are counted in memory, and taken from the limiter together. */
export interface VolumeLimit {
  /** Counts a request; or the ms until the key may have another one, when its limit is used up. */
  take(key: string): number
  /** Takes what was counted from the limiter, whose answers decide about later requests. */
  flush(): void
}

/** One command to Redis counts the requests of ten seconds; one for each request would be a step more on the hottest path. */
const flushEveryMs = 10_000

export function createVolumeLimit(limiter: Limiter, nowMs: () => number): VolumeLimit {
  const spentUntilMs = new Map<string, number>()
  let counted = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    for (const [key, untilMs] of spentUntilMs) if (untilMs <= nowMs()) spentUntilMs.delete(key)
    for (const [key, points] of counted)
      limiter.consume(key, points).catch((spent: unknown) => {
        spentUntilMs.set(key, nowMs() + waitMsOf(spent))
      })
    counted = new Map()
  }

  return {
    take(key) {
      const waitMs = (spentUntilMs.get(key) ?? 0) - nowMs()
      if (waitMs > 0) return waitMs
      counted.set(key, (counted.get(key) ?? 0) + 1)
      // Without requests no timer runs, and it keeps no stopping process alive.
      timer ??= setTimeout(flush, flushEveryMs).unref()
      return 0
    },
    flush,
  }
}
