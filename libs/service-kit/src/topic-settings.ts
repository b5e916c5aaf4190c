import { ConfigError, loadConfig } from './config.ts'
import { kafkaEnv } from './kafka-settings.ts'
import { z } from 'zod'

const copies = z.coerce.number().int().min(1).max(9).optional()

const schema = z.object({
  ...kafkaEnv,
  SUMLOCK_NAMESPACE: z.string().min(1),
  /** Each new topic has this many copies; when absent, the broker's default. */
  KAFKA_REPLICATION_FACTOR: copies,
  /** So many copies must have a record before it is acknowledged; when absent, the broker's default. */
  KAFKA_MIN_INSYNC_REPLICAS: copies,
  /**
   * With `on`, the job also gives the services' users their rights. Otherwise an operator gives them
   * (docs/engine-users.md).
   */
  KAFKA_ACLS: z.enum(['on', 'off']).default('off'),
})

/** Reads the settings of the job that creates the topics. Throws a ConfigError for invalid ones. */
export function readTopicSettings(env: NodeJS.ProcessEnv) {
  const config = loadConfig(schema, env)
  const { KAFKA_REPLICATION_FACTOR: all = Infinity, KAFKA_MIN_INSYNC_REPLICAS: needed = 1 } = config
  // A topic with fewer copies than a record needs accepts no record at all.
  if (needed > all)
    throw new ConfigError('KAFKA_MIN_INSYNC_REPLICAS: must not exceed KAFKA_REPLICATION_FACTOR')
  return config
}
