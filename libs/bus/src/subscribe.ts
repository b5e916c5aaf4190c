import { setTimeout as wait } from 'node:timers/promises'
import type { Tracing } from '@sumlock/service-kit/tracing'
import { isTransient } from '@sumlock/service-kit/transient'
import type { Consumer, EachBatchPayload } from 'kafkajs'
import type { Registry } from 'prom-client'
import type { Bus } from './bus.ts'
import { createConsumerMetrics } from './consumer-metrics.ts'
import type { ConsumerMetrics } from './consumer-metrics.ts'
import { fetchWaitMs, watchFetches } from './fetch-health.ts'
import type { FetchHealth } from './fetch-health.ts'
import { createCommitter } from './committer.ts'
import type { Committer } from './committer.ts'
import { createHandlerTime } from './handler-time.ts'
import type { Handler } from './handler.ts'
import { watchLag } from './lag-watch.ts'
import type { LagWatchOptions } from './lag-watch.ts'
import { createPartitions } from './partitions.ts'
import type { Partitions } from './partitions.ts'
import { createSettler } from './settle-event.ts'
import type { Settle } from './settle-event.ts'
import { withoutNamespace } from './topic-name.ts'

export interface SubscribeOptions {
  /** All replicas of a service share this group. */
  group: string
  handlers: readonly Handler[]
  /** Skips events whose hints Redis has taken, without parsing them. */
  skipsHinted?: boolean
  /** Skips events that were published longer ago than this, without parsing them. */
  skipsOlderThanMs?: number
  /**
   * Called when the consumer failed permanently: kafkajs gave it up, or it stalled. The process should exit and be
   * restarted, because a handler or a connection that hangs inside it cannot be cancelled, and a second consumer could
   * handle events twice.
   */
  onFatal: (error: Error) => void
  /** Lag, retries and dead letters are measured in this registry. */
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
 * Consumes the topics of the handlers' events. An `unavailable` error pauses the partition and retries the same event until
 * it succeeds, while other partitions continue. Any other error sends the event to the dead-letter topic at once, with its
 * cause. Types without a handler are skipped. An offset is committed within a second after the event was handled.
 */
export function subscribe(
  bus: Bus,
  {
    group,
    handlers,
    skipsHinted = false,
    skipsOlderThanMs = Infinity,
    onFatal,
    metrics,
    tracing,
    watch,
  }: SubscribeOptions,
): Subscription {
  const groupId = `${bus.namespace}.${group}`
  const topics = [...new Set(handlers.map(({ event }) => `${bus.namespace}.${event.topic}`))]
  const counters = metrics && createConsumerMetrics(metrics)
  const settleEvent = createSettler(bus, {
    group,
    handlers,
    skipsHinted,
    skipsOlderThanMs,
    counter: counters?.deadLetters,
    tracing,
  })
  const handlerTime = createHandlerTime()
  const settle: Settle = (...event) => handlerTime.measure(() => settleEvent(...event))
  const partitions = createPartitions()
  let stopping = false
  const giveUp = (error: unknown) => {
    if (!stopping) onFatal(error instanceof Error ? error : new Error(String(error)))
  }

  const consumer = createGroupConsumer(bus, groupId, () => stopping)
  const committer = createCommitter(consumer, bus.logger, () => stopping)
  const onCrash = (error: Error) => {
    if (stopping || !isTransient(error)) return giveUp(error)
    bus.logger.warn(
      { err: error, topics },
      'Kafka consumer crashed on a temporary error and will start again',
    )
    started = wait(connectRetryMs).then(start)
    started.catch(giveUp)
  }
  followAssignment(consumer, partitions, onCrash)
  const health = watchFetches(consumer)
  const lagWatch = watchLag(
    bus,
    { ...partitions, topics, groupId, handlers: handlerTime },
    giveUp,
    counters,
    watch,
  )
  const start = async () => {
    while (!stopping) {
      if (await connectConsumer(bus, consumer, topics)) {
        const eachBatch = createBatchHandler(bus, settle, partitions, committer, counters)
        return consumer.run({ eachBatchAutoResolve: false, autoCommit: false, eachBatch })
      }
      await wait(connectRetryMs)
    }
  }
  let started = start()
  started.catch(giveUp)

  return {
    ...health,
    async stop() {
      stopping = true
      health.stop()
      await Promise.race([committer.flush(), wait(stopTimeoutMs, undefined, { ref: false })])
      await Promise.all([lagWatch.stop(), stopConsumer(consumer, started, health.ready)])
      partitions.clear()
    },
  }
}

function createGroupConsumer(bus: Bus, groupId: string, isStopping: () => boolean): Consumer {
  return bus.consumer({
    groupId,
    maxWaitTimeInMs: fetchWaitMs,
    allowAutoTopicCreation: false,
    sessionTimeout: 10_000,
    heartbeatInterval: 3000,
    // kafkajs reconnects to a broker that was lost, unless the service is stopping.
    retry: {
      initialRetryTime: 100,
      maxRetryTime: 2000,
      retries: 8,
      restartOnFailure: () => Promise.resolve(!isStopping()),
    },
  })
}

/** kafkajs starts a consumer again after some errors, but not after all that a restart of Kafka can cause. `onCrash` handles the others. */
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

/** Resolves with false when Kafka cannot be reached. */
async function connectConsumer(bus: Bus, consumer: Consumer, topics: string[]): Promise<boolean> {
  try {
    await consumer.connect()
    await consumer.subscribe({ topics, fromBeginning: true })
    return true
  } catch (error) {
    bus.logger.warn({ err: error, topics }, 'Kafka consumer could not connect and will retry')
    return false
  }
}

const createBatchHandler =
  (
    bus: Bus,
    settle: Settle,
    partitions: Partitions,
    committer: Committer,
    counters: ConsumerMetrics | undefined,
  ) =>
  async ({ batch, resolveOffset, heartbeat, isRunning, isStale, pause }: EachBatchPayload): Promise<void> => {
    const { topic, partition } = batch
    const name = `${topic}/${partition}`
    for (const message of batch.messages) {
      if (committer.isStopping() || !isRunning() || isStale()) break
      const { offset } = message
      try {
        await settle(topic, partition, message)
      } catch (error) {
        counters?.retries.inc({ topic: withoutNamespace(topic, bus.namespace) })
        const delayMs = partitions.pause(name, pause())
        bus.logger.warn({ err: error, topic, partition, offset, delayMs }, 'event will be retried')
        break
      }
      // guard: offset-after-effect
      committer.add(topic, partition, offset)
      resolveOffset(offset)
      partitions.advance(name, Number(offset))
      await heartbeat()
    }
    await committer.batchEnded()
  }

/** Waits for the first fetch, because kafkajs would crash and restart a consumer that is stopped right after joining its group. */
async function stopConsumer(consumer: Consumer, started: Promise<void>, ready: Promise<void>): Promise<void> {
  const timeout = () => wait(stopTimeoutMs, undefined, { ref: false })
  const fetched = started.then(
    () => ready,
    () => undefined,
  )
  await Promise.race([fetched, timeout()])
  await Promise.race([consumer.disconnect().catch(() => undefined), timeout()])
}
