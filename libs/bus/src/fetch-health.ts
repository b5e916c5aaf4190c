import type { Consumer } from 'kafkajs'

export interface FetchHealth {
  /** Resolves when the first fetch begins. */
  ready: Promise<void>
  /** False while Kafka does not answer, and before the first fetch. */
  healthy(this: void): boolean
  onHealth(this: void, listener: (healthy: boolean) => void): void
  stop(): void
}

/** A fetch waits this long for a record. A consumer that stops waits for its last fetch, so it leaves its group in a second. */
export const fetchWaitMs = 500
const answerWithinMs = 1500
const checkEveryMs = 1000

/** Judges by its fetches whether a consumer is connected. */
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
  // The first one after joining the group, for which Kafka had to answer.
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
