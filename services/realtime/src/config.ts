import { commonEnv, cookieSecure, loadConfig, rateLimits, replicaUrls } from '@sumlock/service-kit/config'
import { kafkaEnv } from '@sumlock/service-kit/kafka-settings'
import { z } from 'zod'

const schema = commonEnv.extend({
  ...kafkaEnv,
  /** The Redis user in this address may subscribe. */
  REDIS_URL: z.string().startsWith('redis'),
  /** The Redis user in this address may publish to the channels of the Socket.IO adapter. */
  REDIS_PUBLISH_URL: z.string().startsWith('redis'),
  AUTH_INTERNAL_URL: replicaUrls,
  MESSAGING_INTERNAL_URL: replicaUrls,
  PUBLIC_ORIGINS: z.string().transform((list) => list.split(',').map((origin) => origin.trim())),
  COOKIE_SECURE: cookieSecure,
  /** The client address is found behind this many trusted proxies: the gateway, nginx or the ingress. */
  TRUSTED_HOPS: z.coerce.number().int().min(0).max(3).default(1),
  RATE_LIMITS: rateLimits,
  /** At this number of sockets, the process answers further connections with 503. */
  SOCKETS_AT_MOST: z.coerce.number().int().min(1).default(10_000),
})

/** Reads and checks the environment; throws a ConfigError that names every fault. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env) => loadConfig(schema, env)
export type Config = ReturnType<typeof readConfig>
