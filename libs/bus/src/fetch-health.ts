import { shareInterval } from '@sumlock/service-kit/shared-interval'
import type { Consumer } from 'kafkajs'

export interface FetchHealth {
  /** Resolves when the first fetch begins. */
  ready: Promise<void>
  /** False while Kafka does not answer, and before the first fetch. */
  healthy(this: void): boolean
  onHealth(this: void, listener: (healthy: boolean) => void): void
  stop(): void
}

/** How long a fetch waits for a record: clients must hear of an outage soon enough to fetch for themselves within five seconds. */
export const fetchWaitMs = 2000
/**
 * Of a consumer whose events no person waits for: a fetch costs Kafka and the service about 1.5 ms of processor time. kafkajs sends its
 * heartbeats between fetches, and one may be missed within the session's ten seconds.
 */
export const patientFetchWaitMs = 4000
const answerWithinMs = 1500
const checkEveryMs = 1000

/** Judges by its fetches, which wait this long for a record, whether a consumer is connected. */
export function watchFetches(consumer: Consumer, waitMs: number): FetchHealth {
  const first = Promise.withResolvers<void>()
  const listeners: ((healthy: boolean) => void)[] = []
  let lastFetchAt = 0
  let reported = false
  const healthy = () => lastFetchAt > 0 && performance.now() - lastFetchAt < waitMs + answerWithinMs
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
  const stop = shareInterval(checkEveryMs, report)
  return {
    ready: first.promise,
    healthy,
    onHealth: (listener) => void listeners.push(listener),
    stop,
  }
}
