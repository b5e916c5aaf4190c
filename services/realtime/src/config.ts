import { commonEnv, cookieSecure, loadConfig, replicaUrls } from '@sumlock/service-kit/config'
import { z } from 'zod'

const schema = commonEnv.extend({
  KAFKA_BROKERS: z.string().transform((list) => list.split(',')),
  REDIS_URL: z.string().startsWith('redis'),
  AUTH_INTERNAL_URL: replicaUrls,
  MESSAGING_INTERNAL_URL: replicaUrls,
  PUBLIC_ORIGINS: z.string().transform((list) => list.split(',').map((origin) => origin.trim())),
  COOKIE_SECURE: cookieSecure,
})

/** Reads and checks the environment; throws a ConfigError that names every fault. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env) => loadConfig(schema, env)
export type Config = ReturnType<typeof readConfig>
