import { createRepeater } from '@sumlock/service-kit/repeater'
import type { Bus } from './bus.ts'
import type { ConsumerMetrics } from './consumer-metrics.ts'
import { createOffsetReader, lagOf } from './offsets.ts'
import { createStallRule } from './stall-rule.ts'
import { withoutNamespace } from './topic-name.ts'

export interface WatchedConsumer {
  /** Full names. */
  topics: readonly string[]
  /** Absent for a consumer that commits nothing. */
  groupId: string | undefined
  /** Whether the partition (`topic/number`) is this consumer's; true for all while it belongs to no group yet. */
  owns(partition: string): boolean
  /** What it takes next, as far as it knows itself. */
  positionOf(partition: string): number | undefined
  /** Whether it waits for a dependency there, and how often it did. */
  isPaused(partition: string): boolean
  triesOf(partition: string): number
}

export interface LagWatchOptions {
  /** How often to look, ms. */
  everyMs?: number
  /** How long nothing may be taken while there is something, ms. */
  stallMs?: number
}

/**
 * Asks the brokers, not the consumer, how far the consumer is: one that hangs or lost its way inside kafkajs would not
 * tell. A stall does not show in readiness, because requests are still answered well: the service ends its process on
 * `onStall`, and until then `consumer_lag_records` tells. A partition that waits for a dependency has not stalled.
 * `onStall` runs at every look that finds it stalled.
 */
export function watchLag(
  bus: Bus,
  consumer: WatchedConsumer,
  onStall: (error: Error) => void,
  metrics: ConsumerMetrics | undefined,
  { everyMs = 5000, stallMs = 60_000 }: LagWatchOptions = {},
): { stop(): Promise<void> } {
  const reader = createOffsetReader(() => bus.admin())
  const rule = createStallRule(stallMs)
  /** Where a consumer that commits nothing began. */
  const begins = new Map<string, number>()
  let stopped = false

  const look = async () => {
    const all = await reader.read(consumer.topics, consumer.groupId)
    const own = all.flatMap((offsets) => {
      const name = `${offsets.topic}/${offsets.partition}`
      if (!begins.has(name)) begins.set(name, offsets.end)
      const began = consumer.groupId === undefined ? (begins.get(name) ?? 0) : offsets.low
      const position = Math.max(consumer.positionOf(name) ?? 0, offsets.committed ?? 0, began, offsets.low)
      metrics?.lag.set(
        { topic: withoutNamespace(offsets.topic, bus.namespace), partition: offsets.partition },
        consumer.owns(name) ? lagOf(offsets, position) : 0,
      )
      const [isPaused, tries] = [consumer.isPaused(name), consumer.triesOf(name)]
      return consumer.owns(name) ? [{ name, position, end: offsets.end, isPaused, tries }] : []
    })
    const stalled = rule.look(performance.now(), own)
    if (stalled.length > 0 && !stopped) {
      onStall(
        new Error(
          `nothing taken for ${stallMs / 1000} s from ${stalled.join(', ')} although there is something`,
        ),
      )
    }
  }

  const watching = createRepeater({
    name: 'watching the lag of a consumer',
    everyMs,
    logger: bus.logger,
    // Kafka did not answer: nothing is known about this time.
    run: () => look().catch(() => rule.forget()),
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
