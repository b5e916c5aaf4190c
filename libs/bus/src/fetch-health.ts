import type { Consumer } from 'kafkajs'

export interface FetchHealth {
  /** Resolves when the first fetch begins. */
  ready: Promise<void>
  /** Returns false while Kafka does not answer, and before the first fetch. */
  healthy(this: void): boolean
  onHealth(this: void, listener: (healthy: boolean) => void): void
  stop(): void
}

/** A fetch waits this long for a record. The time is short, because a consumer that stops has to wait for its last fetch. */
export const fetchWaitMs = 500
const answerWithinMs = 1500
const checkEveryMs = 1000

/** Judges whether a consumer is connected by its fetches. */
export function watchFetches(consumer: Consumer): FetchHealth {
  const first = Promise.withResolvers<void>()
  const listeners: ((healthy: boolean) => void)[] = []
  let lastFetchAt = 0
  let reported = false
  const healthy = () => lastFetchAt > 0 && performance.now() - lastFetchAt < fetchWaitMs + answerWithinMs
  const report = () => {
    if (healthy() === reported) return
    reported = healthy()
    for (const listener of listeners) listener(reported)
  }
  consumer.on(consumer.events.FETCH, () => {
    lastFetchAt = performance.now()
    report()
  })
  // The start of the first fetch counts, because Kafka has just answered when the consumer joined its group.
  consumer.on(consumer.events.FETCH_START, () => {
    first.resolve()
    if (lastFetchAt > 0) return
    lastFetchAt = performance.now()
    report()
  })
  consumer.on(consumer.events.CRASH, () => {
    lastFetchAt = 0
    report()
  })
  const timer = setInterval(report, checkEveryMs).unref()
  return {
    ready: first.promise,
    healthy,
    onHealth: (listener) => void listeners.push(listener),
    stop: () => clearInterval(timer),
  }
}
