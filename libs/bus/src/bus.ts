import type { TopicName } from '@sumlock/contracts/topics'
import { Kafka, Partitioners } from 'kafkajs'
import type { Consumer, ConsumerConfig, Producer } from 'kafkajs'
import type { Logger } from 'pino'
import { kafkaLogger } from './kafka-logger.ts'
import { quietRequestQueue } from './quiet-request-queue.ts'

export interface OutgoingRecord {
  topic: TopicName | `${TopicName}.dlq`
  key: string
  /** A serialised envelope. */
  value: string
  headers?: Record<string, string>
}

export interface BusOptions {
  brokers: readonly string[]
  /** Name of the process (`messaging-1`). */
  clientId: string
  namespace: string
  logger: Logger
}

export interface Bus {
  readonly namespace: string
  readonly clientId: string
  readonly logger: Logger
  /** Resolves once all in-sync replicas have the records; rejects when Kafka is away. Order is kept per key. */
  publish(records: readonly OutgoingRecord[]): Promise<void>
  /** A raw consumer; used by `subscribe` only. */
  consumer(config: ConsumerConfig): Consumer
  /** Messages not yet taken by a group, over all its topics. */
  lag(groupId: string, topics: readonly TopicName[]): Promise<number>
  close(): Promise<void>
}

const publishTimeoutMs = 10_000

/** The one door to Kafka. Connects when first used, and again after a loss; being away never throws at start. */
export function createBus({ brokers, clientId, namespace, logger }: BusOptions): Bus {
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
    async publish(records) {
      if (records.length === 0) return
      const byTopic = Map.groupBy(records, (record) => record.topic)
      const topicMessages = [...byTopic].map(([topic, list]) => ({
        topic: `${namespace}.${topic}`,
        messages: list.map(({ key, value, headers }) => ({ key, value, ...(headers ? { headers } : {}) })),
      }))
      await (await connected()).sendBatch({ topicMessages, acks: -1, timeout: publishTimeoutMs })
    },
    consumer: (config) => kafka.consumer(config),
    async lag(groupId, topics) {
      const admin = kafka.admin()
      await admin.connect()
      try {
        const names = topics.map((topic) => `${namespace}.${topic}`)
        const committed = await admin.fetchOffsets({ groupId: `${namespace}.${groupId}`, topics: names })
        let lag = 0
        for (const { topic, partitions } of committed) {
          const ends = new Map((await admin.fetchTopicOffsets(topic)).map((end) => [end.partition, end]))
          for (const { partition, offset } of partitions) {
            const end = ends.get(partition)
            const from = Math.max(Number(offset), Number(end?.low ?? 0))
            lag += Number(end?.high ?? 0) - from
          }
        }
        return lag
      } finally {
        await admin.disconnect()
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
