const hour = 3_600_000
const day = 24 * hour

const retained = (ms: number) => ({
  'cleanup.policy': 'delete',
  'retention.ms': String(ms),
  // A segment is deleted only once it is closed; without this, a quiet topic would keep its last one for a week.
  'segment.ms': String(Math.min(ms / 4, 6 * hour)),
})

/** Every topic, without the namespace. Message content may not stay in Kafka beyond a day. */
export const topics = [
  { name: 'auth.users', partitions: 3, config: retained(7 * day) },
  { name: 'auth.notices', partitions: 3, config: retained(day - 6 * hour) },
  { name: 'messaging.messages', partitions: 6, config: retained(day - 6 * hour) },
  { name: 'messaging.conversations', partitions: 3, config: retained(day - 6 * hour) },
  { name: 'billing.subscriptions', partitions: 3, config: retained(7 * day) },
] as const satisfies readonly { name: string; partitions: number; config: Record<string, string> }[]

export type TopicName = (typeof topics)[number]['name']

/** Where a consumer puts what it can never handle, with its cause in the headers. */
export const deadLetterTopic = (name: string): string => `${name}.dlq`

/** A fortnight to look at them; what may not stay in Kafka beyond a day may not stay as a dead letter either. */
export const deadLetterConfig = ({ config }: (typeof topics)[number]): Record<string, string> =>
  Number(config['retention.ms']) <= day ? config : retained(14 * day)
