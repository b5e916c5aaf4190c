import type { TopicName } from '@sumlock/contracts/topics'
import { systemClock } from '@sumlock/service-kit/clock'
import type { Clock } from '@sumlock/service-kit/clock'
import type { KafkaConnection } from '@sumlock/service-kit/kafka-settings'
import { Kafka, Partitioners } from 'kafkajs'
import type { Admin, Consumer, ConsumerConfig, ISocketFactory, Producer } from 'kafkajs'
import type { Logger } from 'pino'
import { chunkBySize } from './chunk-by-size.ts'
import { kafkaLogger } from './kafka-logger.ts'
import { createOffsetReader, lagOf } from './offsets.ts'
import { quietRequestQueue } from './quiet-request-queue.ts'
import { sendWhole } from './send-whole.ts'

export interface OutgoingRecord {
  topic: TopicName | `${TopicName}.dlq`
  key: string | Buffer | null
  /** Contains a serialised envelope, or the unchanged bytes of a dead letter. */
  value: string | Buffer | null
  headers?: Readonly<Record<string, string | Buffer>>
}

export interface BusOptions extends KafkaConnection {
  /** Names the process, for example `messaging-1`. */
  clientId: string
  namespace: string
  logger: Logger
  /** Dead letters are dated by this clock or, without it, by the machine's clock. */
  clock?: Clock
  /** Opens connections to brokers; without it, kafkajs opens them. */
  socketFactory?: ISocketFactory
}

export interface Bus {
  readonly namespace: string
  readonly clientId: string
  readonly logger: Logger
  readonly clock: Clock
  /**
   * Resolves once all in-sync replicas have the records; rejects when Kafka cannot be reached. Keeps the order of records
   * with the same key.
   */
  publish(records: readonly OutgoingRecord[]): Promise<void>
  /** Connects the producer, which otherwise happens at the first record; rejects when Kafka cannot be reached. */
  connect(): Promise<void>
  /** Creates a raw kafkajs consumer. Only other files of the bus may call it. */
  consumer(config: ConsumerConfig): Consumer
  /** Creates a raw kafkajs admin client, which is not connected yet. Only other files of the bus may call it. */
  admin(): Admin
  /** Returns the number of records in these topics that a group has not consumed yet. */
  lag(groupId: string, topics: readonly TopicName[]): Promise<number>
  close(): Promise<void>
}

const publishTimeoutMs = 10_000
/** A request has at most half of a broker's default limit. The backlog after an outage is larger, so it is split. */
const requestMaxBytes = 512 * 1024

/** Connects to Kafka at the first use and reconnects after a loss; starting without Kafka never throws. */
export function createBus({
  clientId,
  namespace,
  logger,
  clock = systemClock(),
  ...connection
}: BusOptions): Bus {
  quietRequestQueue()
  const kafka = new Kafka({
    ...connection,
    clientId,
    logCreator: kafkaLogger(logger),
    connectionTimeout: 1000,
    requestTimeout: publishTimeoutMs,
    retry: { initialRetryTime: 100, maxRetryTime: 2000, retries: 4 },
  })
  let producer: Promise<Producer> | undefined

  const connected = (): Promise<Producer> => {
    producer ??= connectProducer(kafka).catch((error: unknown) => {
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
      for (const chunk of chunkBySize(records, requestMaxBytes)) {
        const topicMessages = [...Map.groupBy(chunk, ({ topic }) => topic)].map(([topic, list]) => ({
          topic: `${namespace}.${topic}`,
          messages: list.map(({ key, value, headers }) => ({ key, value, ...(headers ? { headers } : {}) })),
        }))
        await sendWhole(await connected(), { topicMessages, acks: -1, timeout: publishTimeoutMs })
      }
    },
    connect: async () => void (await connected()),
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

async function connectProducer(kafka: Kafka): Promise<Producer> {
  const producer = kafka.producer({
    allowAutoTopicCreation: false,
    // With more than one request in flight, a retry could reverse the order of one key.
    maxInFlightRequests: 1,
    createPartitioner: Partitioners.DefaultPartitioner,
    // `sendWhole` repeats a batch instead.
    retry: { retries: 0 },
  })
  await producer.connect()
  return producer
}
