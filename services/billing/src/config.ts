import { commonEnv, loadConfig, replicaUrls } from '@sumlock/service-kit/config'
import { kafkaEnv } from '@sumlock/service-kit/kafka-settings'
import { z } from 'zod'

const schema = commonEnv.extend({
  MONGO_URL: z.string().startsWith('mongodb'),
  ...kafkaEnv,
  AUTH_INTERNAL_URL: replicaUrls,
})

/** Reads and checks the environment; throws a ConfigError that names every fault. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env) => loadConfig(schema, env)
export type Config = ReturnType<typeof readConfig>
