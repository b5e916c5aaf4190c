import { createTopics } from '@sumlock/deployment/create-topics'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { kafkaConnection } from '@sumlock/service-kit/kafka-settings'
import { topicSettings } from '../config.ts'

// Creates missing topics and changes existing ones to the present settings. Safe to repeat, and to run while the
// services do.
const config = topicSettings()
const { SUMLOCK_NAMESPACE: namespace, KAFKA_BROKERS: brokers } = config
await waitUntil(`Kafka at ${brokers.join(',')} to create topics`, () =>
  createTopics(kafkaConnection(config), namespace, {
    setsRules: config.KAFKA_ACLS === 'on',
    ...(config.KAFKA_REPLICATION_FACTOR ? { replicationFactor: config.KAFKA_REPLICATION_FACTOR } : {}),
    ...(config.KAFKA_MIN_INSYNC_REPLICAS ? { minInsyncReplicas: config.KAFKA_MIN_INSYNC_REPLICAS } : {}),
  }).then(() => true),
)
process.stdout.write(`create-topics: the topics of ${namespace} exist\n`)
