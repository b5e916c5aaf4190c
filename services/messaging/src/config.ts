import { commonEnv, loadConfig, milliseconds, replicaUrls } from '@sumlock/service-kit/config'
import { kafkaEnv } from '@sumlock/service-kit/kafka-settings'
import { z } from 'zod'

const schema = commonEnv.extend({
  MONGO_URL: z.string().startsWith('mongodb'),
  ...kafkaEnv,
  REDIS_URL: z.string().startsWith('redis'),
  AUTH_INTERNAL_URL: replicaUrls,
  BILLING_INTERNAL_URL: replicaUrls,
  /** How long a send may queue behind others of its conversation: as long as the gateway waits for the answer. */
  SEND_QUEUE_TIMEOUT_MS: milliseconds.default(2000),
  /** How long a send looks for a free seq of its conversation. */
  STORE_TIMEOUT_MS: milliseconds.default(1500),
})

/** Reads and checks the environment; throws a ConfigError that names every fault. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env) => loadConfig(schema, env)
export type Config = ReturnType<typeof readConfig>
