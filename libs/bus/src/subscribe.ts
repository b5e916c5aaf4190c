import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Envelope, EventContract } from '@sumlock/contracts/event'
import { deadLetterTopic } from '@sumlock/contracts/topics'
import type { TopicName } from '@sumlock/contracts/topics'
import type { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs'
import type { Bus } from './bus.ts'
import { parseEnvelope, withData } from './envelope.ts'
import { isUnavailable } from './failures.ts'

export interface Handler {
  event: EventContract
  handle: (envelope: never) => Promise<void>
}

/** Pairs an event with what this service does about it. The effect must bear being told twice. */
export const on = <E extends EventContract>(
  event: E,
  handle: (envelope: Envelope<E>) => Promise<void>,
): Handler => ({
  event,
  handle: handle,
})

export interface SubscribeOptions {
  /** A lasting group shared by all replicas; `private` is a group of this process only, from now on, committing nothing. */
  group: 'messaging' | 'billing' | 'notify' | 'auth' | 'private'
  handlers: readonly Handler[]
  /** The consumer is beyond help; the process should end and be started again. */
  onFatal: (error: Error) => void
}

export interface Subscription {
  /** Resolves after the first fetch: from then on nothing is missed. */
  ready: Promise<void>
  /** False while Kafka is away or before the first fetch. */
  healthy(): boolean
  onHealth(listener: (healthy: boolean) => void): void
  stop(): Promise<void>
}

const retryMs = { first: 200, max: 5000 }
// Fetches end every 50 ms. Clients are told of silence soon enough to ask for themselves within five seconds.
const silenceMs = 3000

/**
 * Consumes the topics of the handlers' events. `unavailable` retries the same message for ever; any other failure puts
 * it on the dead-letter topic at once, with its cause. Types nobody handles are skipped. Offsets follow the effect.
 */
export function subscribe(bus: Bus, { group, handlers, onFatal }: SubscribeOptions): Subscription {
  const isPrivate = group === 'private'
  const groupId = `${bus.namespace}.${isPrivate ? `${bus.clientId}-${randomUUID()}` : group}`
  const topics = [...new Set(handlers.map(({ event }) => event.topic))]
  const byType = new Map(handlers.map((handler) => [handler.event.type, handler]))
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
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    lastFetchAt = 0
    report()
    if (!stopping && !payload.restart) onFatal(payload.error)
  })
  const watch = setInterval(report, 1000)
  watch.unref()

  const started = start()
  started.catch((error: unknown) => {
    if (!stopping) onFatal(error instanceof Error ? error : new Error(String(error)))
  })

  return {
    ready,
    healthy,
    onHealth: (listener) => healthListeners.push(listener),
    async stop() {
      stopping = true
      clearInterval(watch)
      await stopConsumer(consumer, started, ready)
    },
  }

  async function start(): Promise<void> {
    for (;;) {
      try {
        await consumer.connect()
        await consumer.subscribe({
          topics: topics.map((topic) => `${bus.namespace}.${topic}`),
          fromBeginning: !isPrivate,
        })
        break
      } catch (error) {
        if (stopping) return
        bus.logger.warn({ err: error }, 'waiting for Kafka')
        await wait(1000)
      }
    }
    await consumer.run({ autoCommit: !isPrivate, eachBatchAutoResolve: false, eachBatch })
  }

  async function eachBatch({
    batch,
    resolveOffset,
    heartbeat,
    isRunning,
    isStale,
    commitOffsetsIfNecessary,
  }: EachBatchPayload) {
    for (const message of batch.messages) {
      if (!isRunning() || isStale()) return
      const done = await settle(
        batch.topic,
        batch.partition,
        message,
        heartbeat,
        () => !isRunning() || isStale(),
      )
      if (!done) return
      resolveOffset(message.offset)
      await heartbeat()
    }
    if (!isPrivate) await commitOffsetsIfNecessary()
  }

  /** True once the message had its effect or lies on the dead-letter topic; false when this consumer lost it. */
  async function settle(
    topic: string,
    partition: number,
    message: KafkaMessage,
    heartbeat: () => Promise<void>,
    lost: () => boolean,
  ): Promise<boolean> {
    for (let delayMs = retryMs.first; ; delayMs = Math.min(delayMs * 2, retryMs.max)) {
      try {
        await handle(message)
        return true
      } catch (error) {
        const known = isUnavailable(error) ? 'retry' : await putAside(topic, partition, message, error)
        if (known === 'put aside') return true
        bus.logger.warn({ err: error, topic, partition, offset: message.offset }, 'will try this event again')
      }
      // Short waits, so that the group does not take us for dead meanwhile.
      const until = performance.now() + delayMs
      while (performance.now() < until) {
        if (lost()) return false
        await heartbeat()
        await wait(Math.min(500, delayMs))
      }
    }
  }

  async function handle(message: KafkaMessage): Promise<void> {
    const parsed = parseEnvelope(message.value?.toString() ?? '')
    const handler = byType.get(parsed.type)
    if (!handler) return
    await handler.handle(withData(handler.event, parsed) as never)
  }

  /** A private consumer has no dead letters: the truth is elsewhere and a group of one would only multiply them. */
  async function putAside(topic: string, partition: number, message: KafkaMessage, error: unknown) {
    const cause = error instanceof Error ? error : new Error(String(error))
    bus.logger.error({ err: cause, topic, partition, offset: message.offset }, 'event put aside')
    if (isPrivate) return 'put aside' as const
    const name = topic.slice(bus.namespace.length + 1) as TopicName
    try {
      await bus.publish([
        {
          topic: deadLetterTopic(name) as `${TopicName}.dlq`,
          key: message.key?.toString() ?? '',
          value: message.value?.toString() ?? '',
          headers: {
            'x-group': groupId,
            'x-cause': `${cause.name}: ${cause.message}`.slice(0, 1000),
            'x-origin': `${topic}/${partition}/${message.offset}`,
            'x-time': new Date(Number(message.timestamp)).toISOString(),
          },
        },
      ])
      return 'put aside' as const
    } catch {
      return 'retry' as const
    }
  }
}

/** Leaving right after joining crashes the fetcher, which then restarts for ever: wait for the first fetch. */
async function stopConsumer(consumer: Consumer, started: Promise<void>, ready: Promise<void>): Promise<void> {
  const patience = wait(5000, undefined, { ref: false })
  await Promise.race([
    started.then(
      () => ready,
      () => undefined,
    ),
    patience,
  ])
  await Promise.race([consumer.disconnect().catch(() => undefined), wait(5000, undefined, { ref: false })])
}
