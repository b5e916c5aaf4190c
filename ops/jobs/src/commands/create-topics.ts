import { createTopics } from '@sumlock/deployment/provision'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { setting } from '../config.ts'

// Creates missing topics. Safe to repeat, and to run beside the services.
const brokers = setting('KAFKA_BROKERS')
const namespace = setting('SUMLOCK_NAMESPACE')
await waitUntil(`Kafka at ${brokers} to create topics`, () =>
  createTopics(brokers, namespace).then(() => true),
)
process.stdout.write(`create-topics: the topics of ${namespace} exist\n`)
