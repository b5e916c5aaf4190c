import { ConfigError, loadConfig } from './config.ts'
import { kafkaEnv } from './kafka-settings.ts'
import { z } from 'zod'

const copies = z.coerce.number().int().min(1).max(9).optional()

const schema = z.object({
  ...kafkaEnv,
  SUMLOCK_NAMESPACE: z.string().min(1),
  /** Copies of each new topic; the broker's default when absent. */
  KAFKA_REPLICATION_FACTOR: copies,
  /** Copies that must have a record before it is acknowledged; the broker's default when absent. */
  KAFKA_MIN_INSYNC_REPLICAS: copies,
  /** `on`: the job also gives the users of the services their rights. Otherwise an operator gives them (docs/engine-users.md). */
  KAFKA_ACLS: z.enum(['on', 'off']).default('off'),
})

/** The settings of the job that creates the topics. */
export function readTopicSettings(env: NodeJS.ProcessEnv) {
  const config = loadConfig(schema, env)
  const { KAFKA_REPLICATION_FACTOR: all = Infinity, KAFKA_MIN_INSYNC_REPLICAS: needed = 1 } = config
  // No record could be published, ever.
  if (needed > all)
    throw new ConfigError('KAFKA_MIN_INSYNC_REPLICAS: must not exceed KAFKA_REPLICATION_FACTOR')
  return config
}
