import { commonEnv, cookieSecure, hexKey, loadConfig } from '@sumlock/service-kit/config'
import { z } from 'zod'

const schema = commonEnv
  .extend({
    MONGO_URL: z.string().startsWith('mongodb'),
    KAFKA_BROKERS: z.string().transform((list) => list.split(',')),
    REDIS_URL: z.string().startsWith('redis'),
    TOKEN_PRIVATE_KEY: z.string().includes('PRIVATE KEY'),
    TOKEN_KID: z.string().min(1),
    PIN_PEPPER: hexKey,
    CODE_PEPPER: hexKey,
    OUTBOX_KEY_SECRET: hexKey,
    NOTICE_KEY: hexKey,
    NOTICE_KEY_ID: z.string().min(1),
    BCRYPT_COST: z.coerce.number().int().min(4).max(15).default(10),
    COOKIE_SECURE: cookieSecure,
    /** Phone codes to all numbers together, by hour of UTC. */
    SMS_PER_HOUR: z.coerce.number().int().min(1).default(1000),
  })
  // guard: slow-hash
  .refine((env) => env.SUMLOCK_MODE === 'test' || env.BCRYPT_COST >= 10, {
    path: ['BCRYPT_COST'],
    message: 'must be 10 or more outside of tests',
  })

/** Reads and checks the environment; throws a ConfigError that names every fault. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env) => loadConfig(schema, env)
export type Config = ReturnType<typeof readConfig>
