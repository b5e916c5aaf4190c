import type { ServiceName } from './route.ts'

const hour = 3_600_000
const day = 24 * hour

const retained = (ms: number) => ({
  'cleanup.policy': 'delete',
  'retention.ms': String(ms),
  // Kafka deletes closed segments only. Without this limit, a topic with few records would keep its last segment for
  // a week.
  'segment.ms': String(Math.min(ms / 4, 6 * hour)),
})

interface Topic {
  name: string
  partitions: number
  config: Record<string, string>
  /** The brokers refuse every other writer, except that readers write the topic's dead letters. */
  writers: readonly ServiceName[]
  readers: readonly ServiceName[]
}

/** The names do not contain the namespace. Message content stays in Kafka for at most a day. */
export const topics = [
  {
    name: 'auth.users',
    partitions: 3,
    config: retained(7 * day),
    writers: ['auth'],
    readers: ['messaging', 'billing', 'notify'],
  },
  {
    name: 'auth.notices',
    partitions: 3,
    config: retained(day - 6 * hour),
    writers: ['auth', 'billing'],
    readers: ['notify'],
  },
  {
    name: 'messaging.messages',
    partitions: 6,
    config: retained(day - 6 * hour),
    writers: ['messaging'],
    readers: ['realtime'],
  },
  {
    name: 'messaging.conversations',
    partitions: 3,
    config: retained(day - 6 * hour),
    writers: ['messaging'],
    readers: ['realtime'],
  },
  {
    name: 'billing.subscriptions',
    partitions: 3,
    config: retained(7 * day),
    writers: ['billing'],
    readers: ['messaging'],
  },
] as const satisfies readonly Topic[]

export type TopicName = (typeof topics)[number]['name']

/** Returns the topic for records that a consumer can never handle. Their headers name the cause. */
export const deadLetterTopic = (name: string): string => `${name}.dlq`

/**
 * Dead letters are kept for 14 days, because a replay needs the whole event. Where the topic itself keeps records for
 * a day at most, its dead letters are kept no longer.
 */
export const deadLetterConfig = ({ config }: (typeof topics)[number]): Record<string, string> =>
  Number(config['retention.ms']) <= day ? config : retained(14 * day)

export interface TopicRight {
  service: ServiceName
  may: 'write' | 'read'
  topic: string
}

/**
 * Returns all rights of services to topics. Dead letters are read with the rights of an administrator (`npm run
 * dlq`).
 */
export const topicRights = (): TopicRight[] =>
  topics.flatMap(({ name, writers, readers }) => [
    ...writers.map((service) => ({ service, may: 'write' as const, topic: name })),
    ...readers.map((service) => ({ service, may: 'read' as const, topic: name })),
    ...readers.map((service) => ({ service, may: 'write' as const, topic: deadLetterTopic(name) })),
  ])
