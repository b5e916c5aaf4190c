import { createTopics } from '@sumlock/deployment/create-topics'
import { kafkaConnection } from '@sumlock/service-kit/kafka-settings'
import { topicSettings } from '../config.ts'
import { runJob, waitFor } from '../run-job.ts'

// Creates missing topics and changes existing ones to the present settings. Safe to repeat, and to run while the
// services do.
await runJob('create-topics', async (logger) => {
  const config = topicSettings()
  const { SUMLOCK_NAMESPACE: namespace, KAFKA_BROKERS: brokers } = config
  const create = () =>
    createTopics(kafkaConnection(config), namespace, {
      setsRules: config.KAFKA_ACLS === 'on',
      ...(config.KAFKA_REPLICATION_FACTOR ? { replicationFactor: config.KAFKA_REPLICATION_FACTOR } : {}),
      ...(config.KAFKA_MIN_INSYNC_REPLICAS ? { minInsyncReplicas: config.KAFKA_MIN_INSYNC_REPLICAS } : {}),
    })
  await waitFor(`Kafka at ${brokers.join(',')}`, create, logger)
  return `the topics of ${namespace} exist`
})
