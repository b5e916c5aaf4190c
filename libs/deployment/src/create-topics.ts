import { deadLetterConfig, deadLetterTopic, topics } from '@sumlock/contracts/topics'
import kafkajs, { Kafka, logLevel } from 'kafkajs'
import type { Admin, ConfigEntries, KafkaConfig } from 'kafkajs'
import { setKafkaRules } from './kafka-users.ts'
import { waitUntil } from './wait-until.ts'

export interface TopicSettings {
  /** Each new topic has this many copies; the broker's default when absent. An existing topic keeps its number. */
  replicationFactor?: number
  /** So many copies must have a record before it is acknowledged. */
  minInsyncReplicas?: number
  /** When true, the users of the services also get their rights. */
  setsRules?: boolean
}

interface WantedTopic {
  topic: string
  numPartitions: number
  config: Record<string, string>
}

/**
 * Creates the missing topics, including those for dead letters, and changes retention and other settings of existing
 * ones to the present values. Safe to repeat.
 */
export async function createTopics(
  connection: Pick<KafkaConfig, 'brokers' | 'ssl' | 'sasl'>,
  namespace: string,
  { replicationFactor = -1, minInsyncReplicas, setsRules = false }: TopicSettings = {},
): Promise<void> {
  const copies = minInsyncReplicas ? { 'min.insync.replicas': String(minInsyncReplicas) } : {}
  const wanted: WantedTopic[] = topics.flatMap((topic) => [
    {
      topic: `${namespace}.${topic.name}`,
      numPartitions: topic.partitions,
      config: { ...topic.config, ...copies },
    },
    {
      topic: `${namespace}.${deadLetterTopic(topic.name)}`,
      numPartitions: 1,
      config: { ...deadLetterConfig(topic), ...copies },
    },
  ])
  const admin = new Kafka({ ...connection, logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    const existing = new Set(await admin.listTopics())
    await createMissing(
      admin,
      wanted.filter(({ topic }) => !existing.has(topic)),
      replicationFactor,
    )
    await applySettings(
      admin,
      wanted.filter(({ topic }) => existing.has(topic)),
    )
    if (setsRules) await setKafkaRules(admin, namespace)
  } finally {
    await admin.disconnect()
  }
}

async function createMissing(
  admin: Admin,
  missing: readonly WantedTopic[],
  replicationFactor: number,
): Promise<void> {
  if (missing.length === 0) return
  await admin.createTopics({
    // kafkajs fails when a topic is not visible at once, so the code below waits instead.
    waitForLeaders: false,
    topics: missing.map(({ config, ...topic }) => ({
      ...topic,
      replicationFactor,
      configEntries: entriesOf(config),
    })),
  })
  await waitUntil('the topics to have leaders', async () => {
    const { topics: known } = await admin.fetchTopicMetadata({ topics: missing.map(({ topic }) => topic) })
    return known.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0))
  })
}

const entriesOf = (config: Record<string, string>) =>
  Object.entries(config).map(([name, value]) => ({ name, value }))

/** Kafka reports this source for a setting that belongs to the topic itself and is no default. */
const ofTopic = 1
const isOwn = ({ configSource }: Pick<ConfigEntries, 'configSource'>) => Number(configSource) === ofTopic

async function applySettings(admin: Admin, existing: readonly WantedTopic[]): Promise<void> {
  if (existing.length === 0) return
  const type = kafkajs.ConfigResourceTypes.TOPIC
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: existing.map(({ topic }) => ({ type, name: topic })),
  })
  const own = new Map(
    resources.map(({ resourceName, configEntries }) => [
      resourceName,
      Object.fromEntries(
        configEntries.filter(isOwn).map(({ configName, configValue }) => [configName, configValue]),
      ),
    ]),
  )
  const changed = existing.flatMap(({ topic, config }) => {
    const present = own.get(topic) ?? {}
    const differs = Object.entries(config).some(([name, value]) => present[name] !== value)
    // The request replaces all settings of a topic, so those that the operator has made are sent again.
    return differs ? [{ type, name: topic, configEntries: entriesOf({ ...present, ...config }) }] : []
  })
  if (changed.length > 0) await admin.alterConfigs({ validateOnly: false, resources: changed })
}
