import { createRepeater } from '@sumlock/service-kit/repeater'
import type { Bus } from './bus.ts'
import type { ConsumerMetrics } from './consumer-metrics.ts'
import type { HandlerTime } from './handler-time.ts'
import { createOffsetReader, lagOf } from './offsets.ts'
import { createStallRule } from './stall-rule.ts'
import { withoutNamespace } from './topic-name.ts'

export interface WatchedConsumer {
  /** The names include the namespace. */
  topics: readonly string[]
  groupId: string
  /**
   * Returns whether the partition (`topic/number`) is assigned to this consumer; true for all partitions while the consumer
   * belongs to no group.
   */
  owns(partition: string): boolean
  /** Returns the next offset to consume; undefined while the offset is unknown. */
  positionOf(partition: string): number | undefined
  /** Returns whether the partition is paused until a dependency is available again. */
  isPaused(partition: string): boolean
  pausesOf(partition: string): number
  handlers: Pick<HandlerTime, 'idleMs' | 'runningMs'>
}

export interface LagWatchOptions {
  /** Two checks are this many ms apart. */
  everyMs?: number
  /**
   * A consumer has stalled when it processes nothing for this many ms although records are pending and no handler runs. The
   * value is a little less than the time of two checks, because that time varies.
   */
  stallMs?: number
  /** A handler may run for at most this many ms. */
  handlerMs?: number
}

/**
 * Reads the position of a consumer from the brokers, because a consumer that hangs inside kafkajs does not report its
 * position. Calls `onStall` at every check that finds the consumer stalled; the service then ends its process. Readiness
 * does not show a stall, because requests are still answered; `consumer_lag_records` does. A paused partition has not
 * stalled.
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
    // Only idle time counts, because a partition waits while the handler of another one runs.
    const stalled = rule.check(handlers.idleMs(), own)
    if (stalled.length > 0)
      report(`took no record of ${stalled.join(', ')} for ${stallMs / 1000} s although some are pending`)
  }

  const watching = createRepeater({
    name: 'watching the lag of a consumer',
    everyMs,
    logger: bus.logger,
    // Without an answer from Kafka the progress is unknown.
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
