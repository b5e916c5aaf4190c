import {
  commonEnv,
  contactAddress,
  cookieSecure,
  loadConfig,
  milliseconds,
  rateLimits,
  replicaUrls,
} from '@sumlock/service-kit/config'
import { z } from 'zod'

const schema = commonEnv.extend({
  REDIS_URL: z.string().startsWith('redis'),
  AUTH_URL: replicaUrls,
  MESSAGING_URL: replicaUrls,
  BILLING_URL: replicaUrls,
  NOTIFY_URL: replicaUrls,
  /** Without it, `/ws` does not exist here, because what stands in front leads sockets to realtime itself. */
  REALTIME_URL: replicaUrls.optional(),
  AUTH_INTERNAL_URL: replicaUrls,
  MESSAGING_INTERNAL_URL: replicaUrls,
  BILLING_INTERNAL_URL: replicaUrls,
  CSRF_SECRET: z.string().min(32),
  PUBLIC_ORIGINS: z.string().transform((list) => list.split(',').map((origin) => origin.trim())),
  WEB_ROOT: z.string().default(''),
  CONTACT_SUPPORT: contactAddress('support'),
  CONTACT_PRIVACY: contactAddress('privacy'),
  CONTACT_LEGAL: contactAddress('legal'),
  COOKIE_SECURE: cookieSecure,
  /** This many trusted proxies stand in front of the gateway and append to X-Forwarded-For. */
  TRUSTED_HOPS: z.coerce.number().int().min(0).max(3).optional(),
  /**
   * Each replica of a service gets at most this many requests at once. The number is twice what auth queues for hashing, so
   * that a burst of sign-ins leaves room for other requests.
   */
  UPSTREAM_MAX_CONCURRENCY: z.coerce.number().int().min(1).default(64),
  /** Each replica of messaging gets at most this many uploads and downloads of media at once. */
  UPSTREAM_MAX_STREAMS: z.coerce.number().int().min(1).default(128),
  /**
   * A service has to begin its answer within this time, which includes the wait in the gateway's queue. Some routes state
   * longer deadlines; another value than the default stretches them in proportion.
   */
  UPSTREAM_TIMEOUT_MS: milliseconds.default(2000),
  /** A request may queue for at most this time. In the rest of its time, auth can queue the request for 0.8 s and hash a password. */
  UPSTREAM_QUEUE_TIMEOUT_MS: milliseconds.default(700),
  /** A read whose connection broke sooner than this is sent once more. */
  UPSTREAM_RETRY_WITHIN_MS: milliseconds.default(400),
  /** A request waits at most this time for the shared rate limits in Redis. */
  RATE_LIMIT_TIMEOUT_MS: milliseconds.default(50),
  /** At most this many connections of browsers and proxies may be open, WebSockets included. Each takes some 20 kB (memory-table.ts). */
  MAX_CONNECTIONS: z.coerce.number().int().min(1).default(5000),
  RATE_LIMITS: rateLimits,
})

/** Reads and checks the environment; throws a ConfigError that names every fault. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env) => loadConfig(schema, env)
export type Config = ReturnType<typeof readConfig>

/** On one machine, browsers reach the gateway directly. In production, one ingress of ours stands before it. */
export const trustedHops = ({
  TRUSTED_HOPS,
  SUMLOCK_MODE,
}: Pick<Config, 'TRUSTED_HOPS' | 'SUMLOCK_MODE'>): number =>
  TRUSTED_HOPS ?? (SUMLOCK_MODE === 'production' ? 1 : 0)
