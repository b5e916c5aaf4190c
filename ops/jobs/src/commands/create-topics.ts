import { createTopics } from '@sumlock/deployment/provision'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { setting } from '../config.ts'
import { runJob } from '../run-job.ts'

// Makes the topics that are missing. Safe to repeat, and to run while services run.
await runJob('create-topics', async () => {
  const brokers = setting('KAFKA_BROKERS')
  const namespace = setting('SUMLOCK_NAMESPACE')
  await waitUntil(`Kafka at ${brokers} to take topics`, () =>
    createTopics(brokers, namespace).then(() => true),
  )
  return `the topics of ${namespace} are there`
})
