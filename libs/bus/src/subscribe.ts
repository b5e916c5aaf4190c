import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Tracing } from '@sumlock/service-kit/tracing'
import type { Consumer, EachBatchPayload } from 'kafkajs'
import type { Registry } from 'prom-client'
import type { Bus } from './bus.ts'
import { createConsumerMetrics } from './consumer-metrics.ts'
import type { ConsumerMetrics } from './consumer-metrics.ts'
import { watchFetches } from './fetch-health.ts'
import type { FetchHealth } from './fetch-health.ts'
import type { Handler } from './handler.ts'
import { watchLag } from './lag-watch.ts'
import type { LagWatchOptions } from './lag-watch.ts'
import { createPartitions } from './partitions.ts'
import type { Partitions } from './partitions.ts'
import { createSettler } from './settle-event.ts'
import type { Settle } from './settle-event.ts'
import { withoutNamespace } from './topic-name.ts'

export interface SubscribeOptions {
  /** A lasting group shared by all replicas; `private` is a new group of this process only, which commits nothing. */
  group: 'messaging' | 'billing' | 'notify' | 'auth' | 'private'
  handlers: readonly Handler[]
  /**
   * The consumer failed permanently: kafkajs gave it up, or it stalled. The process should exit and be restarted: a
   * handler or a connection that hangs inside it cannot be cancelled, and a second consumer could handle events twice.
   */
  onFatal: (error: Error) => void
  /** The registry for lag, retries and dead letters. */
  metrics?: Registry
  tracing?: Tracing
  watch?: LagWatchOptions
}

export interface Subscription extends Omit<FetchHealth, 'stop'> {
  /** Consumes no further event, finishes the current one and commits the handled ones. */
  stop(): Promise<void>
}

const connectRetryMs = 1000
const stopTimeoutMs = 5000

/**
 * Consumes the topics of the handlers' events. An `unavailable` error pauses the partition and retries the same event
 * until it succeeds, while other partitions go on; any other error sends the event to the dead-letter topic at once, with
 * its cause. Types without a handler are skipped. An offset is committed after the event was handled.
 */
export function subscribe(
  bus: Bus,
  { group, handlers, onFatal, metrics, tracing, watch }: SubscribeOptions,
): Subscription {
  const isPrivate = group === 'private'
  const groupId = `${bus.namespace}.${isPrivate ? `${bus.clientId}-${randomUUID()}` : group}`
  const topics = [...new Set(handlers.map(({ event }) => `${bus.namespace}.${event.topic}`))]
  const counters = metrics && createConsumerMetrics(metrics)
  const settle = createSettler(bus, {
    group,
    handlers,
    // The data behind a private consumer is stored elsewhere, and each process would write the same dead letter.
    hasDeadLetters: !isPrivate,
    counter: counters?.deadLetters,
    tracing,
  })
  const partitions = createPartitions()
  let stopping = false
  const giveUp = (error: unknown) => {
    if (!stopping) onFatal(error instanceof Error ? error : new Error(String(error)))
  }

  const consumer = createGroupConsumer(bus, groupId, () => stopping)
  followAssignment(consumer, partitions, giveUp)
  const health = watchFetches(consumer)
  const lagWatch = watchLag(
    bus,
    { ...partitions, topics, groupId: isPrivate ? undefined : groupId },
    giveUp,
    counters,
    watch,
  )
  const start = async () => {
    while (!(await connect(bus, consumer, topics, !isPrivate))) {
      if (stopping) return
      await wait(connectRetryMs)
    }
    const eachBatch = createBatchHandler(bus, settle, partitions, counters)
    await consumer.run({ autoCommit: !isPrivate, eachBatchAutoResolve: false, eachBatch })
  }
  const started = start()
  started.catch(giveUp)

  return {
    ...health,
    async stop() {
      stopping = true
      health.stop()
      await Promise.all([lagWatch.stop(), stopConsumer(consumer, started, health.ready)])
      partitions.clear()
    },
  }
}

function createGroupConsumer(bus: Bus, groupId: string, isStopping: () => boolean): Consumer {
  return bus.consumer({
    groupId,
    allowAutoTopicCreation: false,
    maxWaitTimeInMs: 50,
    sessionTimeout: 10_000,
    heartbeatInterval: 2000,
    // kafkajs reconnects to a broker that is away, unless the service is stopping.
    retry: {
      initialRetryTime: 100,
      maxRetryTime: 2000,
      retries: 8,
      restartOnFailure: () => Promise.resolve(!isStopping()),
    },
  })
}

function followAssignment(consumer: Consumer, partitions: Partitions, onCrash: (error: Error) => void): void {
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    const names = Object.entries(payload.memberAssignment).flatMap(([topic, numbers]) =>
      numbers.map((number) => `${topic}/${number}`),
    )
    partitions.assign(names)
  })
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    partitions.lose()
    if (!payload.restart) onCrash(payload.error)
  })
}

/** False when Kafka is away. */
async function connect(
  bus: Bus,
  consumer: Consumer,
  topics: string[],
  fromBeginning: boolean,
): Promise<boolean> {
  try {
    await consumer.connect()
    await consumer.subscribe({ topics, fromBeginning })
    return true
  } catch (error) {
    bus.logger.warn({ err: error, topics }, 'Kafka consumer could not connect and will retry')
    return false
  }
}

/** kafkajs commits the resolved offsets whenever the batch handler returns or throws. */
const createBatchHandler =
  (bus: Bus, settle: Settle, partitions: Partitions, counters: ConsumerMetrics | undefined) =>
  async ({ batch, resolveOffset, heartbeat, isRunning, isStale, pause }: EachBatchPayload): Promise<void> => {
    const { topic, partition } = batch
    const name = `${topic}/${partition}`
    for (const message of batch.messages) {
      if (!isRunning() || isStale()) return
      const { offset } = message
      try {
        await settle(topic, partition, message)
      } catch (error) {
        counters?.retries.inc({ topic: withoutNamespace(topic, bus.namespace) })
        const delayMs = partitions.pause(name, pause())
        bus.logger.warn({ err: error, topic, partition, offset, delayMs }, 'event will be retried')
        return
      }
      // guard: offset-after-effect
      resolveOffset(message.offset)
      partitions.advance(name, Number(offset))
      await heartbeat()
    }
  }

/** Waits for the first fetch: kafkajs would crash in a fetcher that is stopped right after joining, and restart it. */
async function stopConsumer(consumer: Consumer, started: Promise<void>, ready: Promise<void>): Promise<void> {
  const timeout = () => wait(stopTimeoutMs, undefined, { ref: false })
  const fetched = started.then(
    () => ready,
    () => undefined,
  )
  await Promise.race([fetched, timeout()])
  await Promise.race([consumer.disconnect().catch(() => undefined), timeout()])
}
