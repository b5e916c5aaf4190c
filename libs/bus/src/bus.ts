import type { TopicName } from '@sumlock/contracts/topics'
import { systemClock } from '@sumlock/service-kit/clock'
import type { Clock } from '@sumlock/service-kit/clock'
import { Kafka, Partitioners } from 'kafkajs'
import type { Admin, Consumer, ConsumerConfig, Producer } from 'kafkajs'
import type { Logger } from 'pino'
import { kafkaLogger } from './kafka-logger.ts'
import { createOffsetReader, lagOf } from './offsets.ts'
import { inPortions } from './portions.ts'
import { quietRequestQueue } from './quiet-request-queue.ts'

export interface OutgoingRecord {
  topic: TopicName | `${TopicName}.dlq`
  key: string | Buffer | null
  /** A serialised envelope, or the bytes of a record that is passed on as it was. */
  value: string | Buffer | null
  headers?: Readonly<Record<string, string | Buffer>>
}

export interface BusOptions {
  brokers: readonly string[]
  /** Name of the process (`messaging-1`). */
  clientId: string
  namespace: string
  logger: Logger
  /** When a dead letter was put aside; the machine's when absent. */
  clock?: Clock
}

export interface Bus {
  readonly namespace: string
  readonly clientId: string
  readonly logger: Logger
  readonly clock: Clock
  /** Resolves once all in-sync replicas have the records; rejects when Kafka is away. Order is kept per key. */
  publish(records: readonly OutgoingRecord[]): Promise<void>
  /** A raw consumer; used by the parts of the bus only. */
  consumer(config: ConsumerConfig): Consumer
  /** A raw admin client, not connected yet; used by the parts of the bus only. */
  admin(): Admin
  /** Messages not yet taken by a group, over all its topics. */
  lag(groupId: string, topics: readonly TopicName[]): Promise<number>
  close(): Promise<void>
}

const publishTimeoutMs = 10_000
/** Half of what a broker takes at once unless told otherwise; what waits after an outage is more than that. */
const requestMaxBytes = 512 * 1024

/** The one door to Kafka. Connects when first used, and again after a loss; being away never throws at start. */
export function createBus({ brokers, clientId, namespace, logger, clock = systemClock() }: BusOptions): Bus {
  quietRequestQueue()
  const kafka = new Kafka({
    brokers: [...brokers],
    clientId,
    logCreator: kafkaLogger(logger),
    connectionTimeout: 1000,
    requestTimeout: publishTimeoutMs,
    retry: { initialRetryTime: 100, maxRetryTime: 2000, retries: 4 },
  })
  let producer: Promise<Producer> | undefined

  const connected = (): Promise<Producer> => {
    producer ??= connect(kafka).catch((error: unknown) => {
      producer = undefined
      throw error
    })
    return producer
  }

  return {
    namespace,
    clientId,
    logger,
    clock,
    async publish(records) {
      for (const portion of inPortions(records, requestMaxBytes)) {
        const topicMessages = [...Map.groupBy(portion, ({ topic }) => topic)].map(([topic, list]) => ({
          topic: `${namespace}.${topic}`,
          messages: list.map(({ key, value, headers }) => ({ key, value, ...(headers ? { headers } : {}) })),
        }))
        await (await connected()).sendBatch({ topicMessages, acks: -1, timeout: publishTimeoutMs })
      }
    },
    consumer: (config) => kafka.consumer(config),
    admin: () => kafka.admin(),
    async lag(groupId, topics) {
      const reader = createOffsetReader(() => kafka.admin())
      try {
        const names = topics.map((topic) => `${namespace}.${topic}`)
        const partitions = await reader.read(names, `${namespace}.${groupId}`)
        return partitions.reduce((sum, partition) => sum + lagOf(partition), 0)
      } finally {
        await reader.close()
      }
    },
    async close() {
      const open = await producer?.catch(() => undefined)
      await open?.disconnect()
    },
  }
}

async function connect(kafka: Kafka): Promise<Producer> {
  const producer = kafka.producer({
    allowAutoTopicCreation: false,
    // More than one in flight could turn the order of one key round after a retry.
    maxInFlightRequests: 1,
    createPartitioner: Partitioners.DefaultPartitioner,
  })
  await producer.connect()
  return producer
}
