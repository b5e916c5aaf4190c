import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Tracing } from '@sumlock/service-kit/tracing'
import type { Consumer, EachBatchPayload } from 'kafkajs'
import type { Registry } from 'prom-client'
import type { Bus } from './bus.ts'
import { createConsumerMetrics } from './consumer-metrics.ts'
import type { Handler } from './handler.ts'
import { watchLag } from './lag-watch.ts'
import type { LagWatchOptions } from './lag-watch.ts'
import { createPauses } from './pauses.ts'
import { createSettler } from './settle-event.ts'
import { withoutNamespace } from './topic-name.ts'

export interface SubscribeOptions {
  /** A lasting group shared by all replicas; `private` is a group of this process only, from now on, committing nothing. */
  group: 'messaging' | 'billing' | 'notify' | 'auth' | 'private'
  handlers: readonly Handler[]
  /**
   * The consumer is beyond help: kafkajs gave it up, or it stalled. The process should end and be started again: what
   * hangs inside it (a handler, a connection) cannot be taken back, and a second consumer beside it could do things twice.
   */
  onFatal: (error: Error) => void
  /** Where lag, retries and dead letters are counted. */
  metrics?: Registry
  tracing?: Tracing
  watch?: LagWatchOptions
}

export interface Subscription {
  /** Resolves after the first fetch: from then on nothing is missed. */
  ready: Promise<void>
  /** False while Kafka is away or before the first fetch. */
  healthy(): boolean
  onHealth(listener: (healthy: boolean) => void): void
  /** Takes no more, finishes the event in hand and commits what was handled. */
  stop(): Promise<void>
}

// Fetches end every 50 ms. Clients are told of silence soon enough to ask for themselves within five seconds.
const silenceMs = 3000

/**
 * Consumes the topics of the handlers' events. `unavailable` pauses the partition and tries the same event again for
 * ever, while other partitions go on; any other failure puts it on the dead-letter topic at once, with its cause. Types
 * nobody handles are skipped. Offsets follow the effect.
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
    // The truth behind a private consumer is elsewhere, and a group of one would only multiply them.
    hasDeadLetters: !isPrivate,
    counter: counters?.deadLetters,
    tracing,
  })
  const pauses = createPauses()
  /** What is taken next, by `topic/partition`. */
  const positions = new Map<string, number>()
  let assigned: ReadonlySet<string> | undefined
  let stopping = false
  let lastFetchAt = 0
  let reported = false
  const healthListeners: ((healthy: boolean) => void)[] = []
  const healthy = () => lastFetchAt > 0 && performance.now() - lastFetchAt < silenceMs
  const report = () => {
    if (healthy() === reported) return
    reported = healthy()
    for (const listener of healthListeners) listener(reported)
  }
  const giveUp = (error: unknown) => {
    if (!stopping) onFatal(error instanceof Error ? error : new Error(String(error)))
  }

  const consumer = bus.consumer({
    groupId,
    allowAutoTopicCreation: false,
    maxWaitTimeInMs: 50,
    sessionTimeout: 10_000,
    heartbeatInterval: 2000,
    // A broker that is away is waited for; only while stopping is a restart refused.
    retry: {
      initialRetryTime: 100,
      maxRetryTime: 2000,
      retries: 8,
      restartOnFailure: () => Promise.resolve(!stopping),
    },
  })

  let markReady: () => void = () => undefined
  const ready = new Promise<void>((resolve) => (markReady = resolve))
  consumer.on(consumer.events.FETCH, () => {
    lastFetchAt = performance.now()
    markReady()
    report()
  })
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    const names = Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
      partitions.map((partition) => `${topic}/${partition}`),
    )
    assigned = new Set(names)
    // Another member may have taken some of them further, or failed before it got as far.
    positions.clear()
  })
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    lastFetchAt = 0
    assigned = undefined
    report()
    if (!payload.restart) giveUp(payload.error)
  })
  const healthTimer = setInterval(report, 1000)
  healthTimer.unref()
  const lagWatch = watchLag(
    bus,
    {
      topics,
      groupId: isPrivate ? undefined : groupId,
      owns: (partition) => assigned?.has(partition) ?? true,
      positionOf: (partition) => positions.get(partition),
      isPaused: pauses.has,
      triesOf: pauses.count,
    },
    giveUp,
    counters,
    watch,
  )

  const started = start()
  started.catch(giveUp)

  return {
    ready,
    healthy,
    onHealth: (listener) => healthListeners.push(listener),
    async stop() {
      stopping = true
      clearInterval(healthTimer)
      await Promise.all([lagWatch.stop(), stopConsumer(consumer, started, ready)])
      pauses.clear()
    },
  }

  async function start(): Promise<void> {
    for (;;) {
      try {
        await consumer.connect()
        await consumer.subscribe({ topics, fromBeginning: !isPrivate })
        break
      } catch (error) {
        if (stopping) return
        bus.logger.warn({ err: error }, 'waiting for Kafka')
        await wait(1000)
      }
    }
    await consumer.run({ autoCommit: !isPrivate, eachBatchAutoResolve: false, eachBatch })
  }

  /** kafkajs commits what was resolved whenever this returns or throws. */
  async function eachBatch({ batch, resolveOffset, heartbeat, isRunning, isStale, pause }: EachBatchPayload) {
    const name = `${batch.topic}/${batch.partition}`
    for (const message of batch.messages) {
      if (!isRunning() || isStale()) return
      try {
        await settle(batch.topic, batch.partition, message)
      } catch (error) {
        counters?.retries.inc({ topic: withoutNamespace(batch.topic, bus.namespace) })
        const delayMs = pauses.add(name, pause())
        bus.logger.warn(
          { err: error, topic: batch.topic, partition: batch.partition, offset: message.offset, delayMs },
          'will try this event again',
        )
        return
      }
      pauses.shorten(name)
      // guard: offset-after-effect
      resolveOffset(message.offset)
      positions.set(name, Number(message.offset) + 1)
      await heartbeat()
    }
  }
}

/** Leaving right after joining crashes the fetcher, which then restarts for ever: wait for the first fetch. */
async function stopConsumer(consumer: Consumer, started: Promise<void>, ready: Promise<void>): Promise<void> {
  const timeout = wait(5000, undefined, { ref: false })
  await Promise.race([
    started.then(
      () => ready,
      () => undefined,
    ),
    timeout,
  ])
  await Promise.race([consumer.disconnect().catch(() => undefined), wait(5000, undefined, { ref: false })])
}
