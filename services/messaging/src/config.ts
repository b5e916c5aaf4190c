import { commonEnv, loadConfig, replicaUrls } from '@sumlock/service-kit/config'
import { z } from 'zod'

const schema = commonEnv.extend({
  MONGO_URL: z.string().startsWith('mongodb'),
  KAFKA_BROKERS: z.string().transform((list) => list.split(',')),
  REDIS_URL: z.string().startsWith('redis'),
  AUTH_INTERNAL_URL: replicaUrls,
  BILLING_INTERNAL_URL: replicaUrls,
})

/** Reads and checks the environment; throws a ConfigError that names every fault. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env) => loadConfig(schema, env)
export type Config = ReturnType<typeof readConfig>
