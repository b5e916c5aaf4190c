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

/** An empty or absent setting means that the store is not configured. */
const optionalJson = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => undefined), jsonEnv(schema)]).optional()

const schema = commonEnv
  .extend({
    MONGO_URL: z.string().startsWith('mongodb'),
    ...kafkaEnv,
    AUTH_INTERNAL_URL: replicaUrls,
    /** The web client has these origins; links in mails and the page after a payment lead to the first. */
    PUBLIC_ORIGINS: z.string().transform((list) => list.split(',').map((origin) => origin.trim())),
    /** Notices for notify are sealed with this key, whose id begins with `billing-`. */
    NOTICE_KEY: hexKey,
    NOTICE_KEY_ID: z.string().startsWith('billing-'),
    /**
     * Gift codes are derived with these keys, listed by id. A former key stays while gifts with its codes can be redeemed.
     */
    GIFT_CODE_KEYS: jsonEnv(z.record(z.string(), hexKey)),
    /** The codes of new gifts are derived with the key of this id. */
    GIFT_CODE_KEY_ID: z.string().min(1),
    /** The database holds hashes of gift codes that are made with this key. */
    GIFT_HASH_KEY: hexKey,
    /** One address may make this many refused tries to redeem a code within an hour. */
    REDEEM_TRIES_PER_ADDRESS: z.coerce.number().int().min(1).default(limits.redeemTriesPerAddress),
    /** Selects the payment provider: `sandbox` takes no money, `stripe` uses an account at Stripe, `none` sells nothing. */
    PAYMENTS: z.enum(['sandbox', 'stripe', 'none']),
    /** Holds the app's credentials at Apple as JSON. Without them, App Store purchases are refused. */
    APP_STORE: optionalJson(appStoreSettings),
    /** Holds the app's credentials at Google as JSON. Without them, Google Play purchases are refused. */
    GOOGLE_PLAY: optionalJson(googlePlaySettings),
    /** One call to a payment provider or a store is aborted after this time. */
    PROVIDER_TIMEOUT_MS: milliseconds.default(5000),
    STRIPE_URL: z.url({ protocol: /^https?$/ }).default(stripesOwn),
    STRIPE_SECRET_KEY: z.string().min(1).optional(),
    /** Lists the present secret of the webhook and, during a rotation, the previous one, separated by a comma. */
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
      fault('APP_STORE', 'must ask the stores themselves in production: set no URL here or in GOOGLE_PLAY')
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
