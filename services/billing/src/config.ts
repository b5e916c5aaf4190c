import { limits } from '@sumlock/contracts/limits'
import { openOrigins } from '@sumlock/contracts/loopback'
import {
  commonEnv,
  hexKey,
  jsonEnv,
  loadConfig,
  milliseconds,
  replicaUrls,
} from '@sumlock/service-kit/config'
import { kafkaEnv } from '@sumlock/service-kit/kafka-settings'
import { z } from 'zod'

const stripesOwn = 'https://api.stripe.com'

const loopbackUrl = z.url({ protocol: /^http$/ }).optional()
const appStoreSettings = z.strictObject({
  bundleId: z.string().min(1),
  appAppleId: z.number().int().optional(),
  issuerId: z.string().min(1),
  keyId: z.string().min(1),
  privateKey: z.string().includes('PRIVATE KEY'),
  environment: z.enum(['Production', 'Sandbox']),
  rootCertificates: z.array(z.base64()).min(1),
  apiUrl: loopbackUrl,
})
const googlePlaySettings = z.strictObject({
  packageName: z.string().min(1),
  clientEmail: z.email(),
  privateKey: z.string().includes('PRIVATE KEY'),
  pushAudience: z.string().min(1),
  pushEmail: z.email(),
  apiUrl: loopbackUrl,
  tokenUrl: loopbackUrl,
  certsUrl: loopbackUrl,
})

/** Empty or absent: not configured. */
const optionalJson = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => undefined), jsonEnv(schema)]).optional()

const schema = commonEnv
  .extend({
    MONGO_URL: z.string().startsWith('mongodb'),
    ...kafkaEnv,
    AUTH_INTERNAL_URL: replicaUrls,
    /** The addresses of the product; payments lead back to the first one. */
    PUBLIC_ORIGINS: z.string().transform((list) => list.split(',').map((origin) => origin.trim())),
    /** Seals notices for notify. The id begins with `billing-`. */
    NOTICE_KEY: hexKey,
    NOTICE_KEY_ID: z.string().startsWith('billing-'),
    /** Keys that gift codes are derived with, by id; a former one stays while gifts of it can be redeemed. */
    GIFT_CODE_KEYS: jsonEnv(z.record(z.string(), hexKey)),
    /** The key of new gifts. */
    GIFT_CODE_KEY_ID: z.string().min(1),
    /** Hashes gift codes in the database. */
    GIFT_HASH_KEY: hexKey,
    /** Refused tries to redeem a code from one address in an hour. */
    REDEEM_TRIES_PER_ADDRESS: z.coerce.number().int().min(1).default(limits.redeemTriesPerAddress),
    /** The payment provider: `sandbox` takes no money, `stripe` is an account at Stripe, `none` refuses to sell. */
    PAYMENTS: z.enum(['sandbox', 'stripe', 'none']),
    /** The app's account at Apple, as JSON; empty: no App Store. */
    APP_STORE: optionalJson(appStoreSettings),
    /** The app's account at Google, as JSON; empty: no Google Play. */
    GOOGLE_PLAY: optionalJson(googlePlaySettings),
    /** The time limit of one call to a payment provider or a store. */
    PROVIDER_TIMEOUT_MS: milliseconds.default(5000),
    STRIPE_URL: z.url({ protocol: /^https?$/ }).default(stripesOwn),
    STRIPE_SECRET_KEY: z.string().min(1).optional(),
    /** A comma list: the present secret of the webhook and, during a rotation, the previous one. */
    STRIPE_WEBHOOK_SECRETS: z
      .string()
      .transform((list) => list.split(',').map((secret) => secret.trim()))
      .pipe(z.array(z.string().startsWith('whsec_')).min(1).max(2))
      .optional(),
  })
  .superRefine((env, issues) => {
    const isProduction = env.SUMLOCK_MODE === 'production'
    const fault = (name: string, message: string) =>
      issues.addIssue({ code: 'custom', path: [name], message })
    if (!(env.GIFT_CODE_KEY_ID in env.GIFT_CODE_KEYS)) fault('GIFT_CODE_KEY_ID', 'is not in GIFT_CODE_KEYS')
    if (env.PAYMENTS === 'sandbox') {
      if (isProduction) fault('PAYMENTS', 'must not be sandbox in production: premium would be free')
      const open = openOrigins(env.PUBLIC_ORIGINS)
      if (open.length > 0)
        fault('PAYMENTS', `must not be sandbox where others can reach it (${open.join(', ')})`)
    }
    const { APP_STORE: apple, GOOGLE_PLAY: google } = env
    if (isProduction && (apple?.apiUrl ?? google?.apiUrl ?? google?.tokenUrl ?? google?.certsUrl))
      fault('APP_STORE', 'must ask the stores themselves in production, and so must GOOGLE_PLAY')
    if (apple?.environment === 'Production' && apple.appAppleId === undefined)
      fault('APP_STORE', 'needs appAppleId for Production')
    if (isProduction && apple?.environment === 'Sandbox')
      fault('APP_STORE', 'must not be the sandbox in production: premium would be free')
    if (env.PAYMENTS !== 'stripe') return
    for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS'] as const)
      if (!env[name]) fault(name, 'is needed with PAYMENTS=stripe')
    if (isProduction && env.STRIPE_URL !== stripesOwn)
      fault('STRIPE_URL', 'must be that of Stripe in production')
  })

/** Reads and checks the environment; throws a ConfigError that names every fault. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env) => loadConfig(schema, env)
export type Config = ReturnType<typeof readConfig>
