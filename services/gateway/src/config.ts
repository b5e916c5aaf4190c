import { commonEnv, cookieSecure, loadConfig, urlList } from '@sumlock/service-kit/config'
import { z } from 'zod'

const schema = commonEnv
  .extend({
    REDIS_URL: z.string().startsWith('redis'),
    AUTH_URL: urlList,
    MESSAGING_URL: urlList,
    BILLING_URL: urlList,
    NOTIFY_URL: urlList,
    REALTIME_URL: urlList,
    AUTH_INTERNAL_URL: urlList,
    MESSAGING_INTERNAL_URL: urlList,
    BILLING_INTERNAL_URL: urlList,
    CSRF_SECRET: z.string().min(32),
    PUBLIC_ORIGINS: z.string().transform((list) => list.split(',').map((origin) => origin.trim())),
    WEB_ROOT: z.string().default(''),
    COOKIE_SECURE: cookieSecure,
    /** How many proxies of ours stand before the gateway and say who calls (X-Forwarded-For). */
    TRUSTED_HOPS: z.coerce.number().int().min(0).max(3).optional(),
    RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  })
  // guard: limits-stay-on
  .refine((env) => env.SUMLOCK_MODE !== 'production' || env.RATE_LIMITS === 'on', {
    path: ['RATE_LIMITS'],
    message: 'must be on in production',
  })

/** Reads and checks the environment; throws a ConfigError that names every fault. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env) => loadConfig(schema, env)
export type Config = ReturnType<typeof readConfig>
