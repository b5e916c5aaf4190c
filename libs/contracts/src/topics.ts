const hour = 3_600_000
const day = 24 * hour

const retained = (ms: number) => ({
  'cleanup.policy': 'delete',
  'retention.ms': String(ms),
  // Only closed segments are deleted: without this limit, a quiet topic keeps its last segment for a week.
  'segment.ms': String(Math.min(ms / 4, 6 * hour)),
})

/** Every topic, without the namespace. Message content stays in Kafka for at most a day. */
export const topics = [
  { name: 'auth.users', partitions: 3, config: retained(7 * day) },
  { name: 'auth.notices', partitions: 3, config: retained(day - 6 * hour) },
  { name: 'messaging.messages', partitions: 6, config: retained(day - 6 * hour) },
  { name: 'messaging.conversations', partitions: 3, config: retained(day - 6 * hour) },
  { name: 'billing.subscriptions', partitions: 3, config: retained(7 * day) },
] as const satisfies readonly { name: string; partitions: number; config: Record<string, string> }[]

export type TopicName = (typeof topics)[number]['name']

/** The topic for records that a consumer can never handle, with the cause in their headers. */
export const deadLetterTopic = (name: string): string => `${name}.dlq`

/** Dead letters are kept for 14 days, but no longer than a day where the topic itself is limited to a day. */
export const deadLetterConfig = ({ config }: (typeof topics)[number]): Record<string, string> =>
  Number(config['retention.ms']) <= day ? config : retained(14 * day)
