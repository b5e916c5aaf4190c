import type { Limiter } from '../infrastructure/shared-limiter.ts'
import { waitMsOf } from './counters.ts'

/** No request waits for this limit: requests are counted in memory, and taken from the limiter together. */
export interface VolumeLimit {
  /** Counts a request and returns 0, or returns the ms after which the key may have another request. */
  take(key: string): number
  /**
   * Takes what was counted from the limiter, whose answers decide about later requests. While one flush is running, another
   * does nothing.
   */
  flush(): Promise<void>
}

/**
 * One command to Redis counts the requests of ten seconds. A command for each request would slow down the hottest path.
 */
const flushEveryMs = 10_000
/** This many keys are flushed together. Thousands at once would delay every request by half a second. */
const keysAtOnce = 20

export function createVolumeLimit(limiter: Limiter, nowMs: () => number): VolumeLimit {
  const spentUntilMs = new Map<string, number>()
  let counted = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let isFlushing = false

  // The timer runs only after requests, and it keeps no stopping process alive.
  const flushLater = () => void (timer ??= setTimeout(() => void flush(), flushEveryMs).unref())

  const takeOne = async ([key, points]: [string, number]) => {
    try {
      await limiter.consume(key, points)
    } catch (spent) {
      spentUntilMs.set(key, nowMs() + waitMsOf(spent))
    }
  }

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    if (isFlushing) return
    isFlushing = true
    for (const [key, untilMs] of spentUntilMs) if (untilMs <= nowMs()) spentUntilMs.delete(key)
    const taken = [...counted]
    counted = new Map()
    for (let start = 0; start < taken.length; start += keysAtOnce) {
      await Promise.all(taken.slice(start, start + keysAtOnce).map(takeOne))
      // The loop lets other events run here, because a limiter in memory answers within the same turn of the event loop.
      await new Promise(setImmediate)
    }
    isFlushing = false
    if (counted.size > 0) flushLater()
  }

  return {
    take(key) {
      const waitMs = (spentUntilMs.get(key) ?? 0) - nowMs()
      if (waitMs > 0) return waitMs
      counted.set(key, (counted.get(key) ?? 0) + 1)
      flushLater()
      return 0
    },
    flush,
  }
}
