import { openOrigins } from '@sumlock/contracts/loopback'
import {
  commonEnv,
  cookieSecure,
  hexKey,
  jsonEnv,
  loadConfig,
  rateLimits,
  replicaUrls,
} from '@sumlock/service-kit/config'
import { kafkaEnv } from '@sumlock/service-kit/kafka-settings'
import { z } from 'zod'
import { isCountry } from './domain/phone-number.ts'

const schema = commonEnv
  .extend({
    MONGO_URL: z.string().startsWith('mongodb'),
    ...kafkaEnv,
    REDIS_URL: z.string().startsWith('redis'),
    MESSAGING_INTERNAL_URL: replicaUrls,
    TOKEN_PRIVATE_KEY: z.string().includes('PRIVATE KEY'),
    TOKEN_KID: z.string().min(1),
    PIN_PEPPER: hexKey,
    CODE_PEPPER: hexKey,
    OUTBOX_KEY_SECRET: hexKey,
    /**
     * Key shares are derived from these secrets: the first is for new boxes, and a second one exists only during a rotation.
     */
    KEY_SHARE_SECRETS: jsonEnv(
      z
        .array(z.object({ id: z.string().min(1).max(32), secret: hexKey }))
        .min(1)
        .max(2),
    ),
    NOTICE_KEY: hexKey,
    NOTICE_KEY_ID: z.string().min(1),
    BCRYPT_COST: z.coerce.number().int().min(4).max(15).default(10),
    COOKIE_SECURE: cookieSecure,
    /** At most this many phone codes are sent per hour (UTC), to all numbers together. */
    SMS_PER_HOUR: z.coerce.number().int().min(1).default(1000),
    /**
     * Only numbers of these ISO countries, in a comma list, get codes. An empty list means all countries and is refused in
     * production.
     */
    SMS_COUNTRIES: z
      .string()
      .default('')
      .transform((list) => list.split(',').flatMap((code) => code.trim() || []))
      .pipe(z.array(z.string().refine(isCountry, 'must be ISO codes of countries, as DE,AT,CH')))
      .transform((codes) => (codes.length > 0 ? codes : undefined)),
    RATE_LIMITS: rateLimits,
    /** The web client has these origins; links in mails lead to the first. */
    PUBLIC_ORIGINS: z
      .string()
      .transform((list) => list.split(',').flatMap((origin) => origin.trim() || []))
      .pipe(z.tuple([z.url({ protocol: /^https?$/ })], z.string())),
    /** With `on`, the default outside of production, the answer to a request for a phone code contains the code. */
    SHOW_PHONE_CODE: z.enum(['on', 'off']).optional(),
  })
  .transform(({ SHOW_PHONE_CODE, ...env }) => ({
    ...env,
    SHOW_PHONE_CODE: SHOW_PHONE_CODE ?? (env.SUMLOCK_MODE === 'production' ? 'off' : 'on'),
  }))
  .refine((env) => env.SUMLOCK_MODE === 'test' || env.BCRYPT_COST >= 10, {
    path: ['BCRYPT_COST'],
    message: 'must be 10 or more outside of tests',
  })
  .refine((env) => env.SUMLOCK_MODE !== 'production' || env.SHOW_PHONE_CODE === 'off', {
    path: ['SHOW_PHONE_CODE'],
    message: 'must be off in production',
  })
  .refine((env) => env.SUMLOCK_MODE !== 'production' || env.SMS_COUNTRIES !== undefined, {
    path: ['SMS_COUNTRIES'],
    message: 'must name the countries that get codes in production, as DE,AT,CH',
  })
  .superRefine(({ SUMLOCK_MODE, SHOW_PHONE_CODE, PUBLIC_ORIGINS }, issues) => {
    const [open] = openOrigins(PUBLIC_ORIGINS)
    if (SUMLOCK_MODE !== 'local' || SHOW_PHONE_CODE === 'off' || open === undefined) return
    issues.addIssue({
      code: 'custom',
      path: ['SHOW_PHONE_CODE'],
      message: `must be off while PUBLIC_ORIGINS names ${open}, or others could prove any phone number: set SHOW_PHONE_CODE=off`,
    })
  })

/** Reads and checks the environment; throws a ConfigError that names every fault. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env) => loadConfig(schema, env)
export type Config = ReturnType<typeof readConfig>
