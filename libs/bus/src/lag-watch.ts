import { createRepeater } from '@sumlock/service-kit/repeater'
import type { Bus } from './bus.ts'
import type { ConsumerMetrics } from './consumer-metrics.ts'
import type { HandlerTime } from './handler-time.ts'
import { createOffsetReader, lagOf } from './offsets.ts'
import { createStallRule } from './stall-rule.ts'
import { withoutNamespace } from './topic-name.ts'

export interface WatchedConsumer {
  /** The topic with the namespace. */
  topics: readonly string[]
  groupId: string
  /** Whether the partition (`topic/number`) is assigned to this consumer; true for all while it belongs to no group. */
  owns(partition: string): boolean
  /** The next offset to consume; undefined while it is unknown. */
  positionOf(partition: string): number | undefined
  /** Whether the partition is paused until a dependency is back. */
  isPaused(partition: string): boolean
  pausesOf(partition: string): number
  handlers: Pick<HandlerTime, 'idleMs' | 'runningMs'>
}

export interface LagWatchOptions {
  /** The time between two checks, ms. */
  everyMs?: number
  /**
   * A consumer may process nothing for this time while records are pending and no handler runs, ms. It is shorter than
   * two checks, because the time between checks varies.
   */
  stallMs?: number
  /** The most time that a handler may run, ms. */
  handlerMs?: number
}

/**
 * Reads the position of a consumer from the brokers, because a consumer that hangs inside kafkajs does not report it.
 * Calls `onStall` at every check that finds it stalled; the service then ends its process. Readiness does not show a
 * stall, because requests are still answered; `consumer_lag_records` does. A paused partition has not stalled.
 */
export function watchLag(
  bus: Bus,
  consumer: WatchedConsumer,
  onStall: (error: Error) => void,
  metrics: ConsumerMetrics | undefined,
  { everyMs = 30_000, stallMs = 55_000, handlerMs = 120_000 }: LagWatchOptions = {},
): { stop(): Promise<void> } {
  const reader = createOffsetReader(() => bus.admin())
  const rule = createStallRule(stallMs)
  let stopped = false

  const report = (what: string) => {
    if (!stopped) onStall(new Error(`Kafka consumer ${what}`))
  }
  const check = async () => {
    const { handlers } = consumer
    if (handlers.runningMs() >= handlerMs)
      report(`has been handling one event for ${handlers.runningMs() / 1000} s`)
    const all = await reader.read(consumer.topics, consumer.groupId)
    const own = all.flatMap((offsets) => {
      const name = `${offsets.topic}/${offsets.partition}`
      const position = Math.max(consumer.positionOf(name) ?? 0, offsets.committed ?? 0, offsets.low)
      metrics?.lag.set(
        { topic: withoutNamespace(offsets.topic, bus.namespace), partition: offsets.partition },
        consumer.owns(name) ? lagOf(offsets, position) : 0,
      )
      if (!consumer.owns(name)) return []
      const isPaused = consumer.isPaused(name)
      return [{ name, position, end: offsets.end, isPaused, pauses: consumer.pausesOf(name) }]
    })
    // A partition waits while the handler of another one runs.
    const stalled = rule.check(handlers.idleMs(), own)
    if (stalled.length > 0)
      report(`took no record of ${stalled.join(', ')} for ${stallMs / 1000} s although some are pending`)
  }

  const watching = createRepeater({
    name: 'watching the lag of a consumer',
    everyMs,
    logger: bus.logger,
    // Without an answer of Kafka the progress is unknown.
    run: () => check().catch(() => rule.forget()),
    startsAtOnce: false,
  })
  return {
    async stop() {
      stopped = true
      await watching.stop()
      await reader.close()
    },
  }
}
