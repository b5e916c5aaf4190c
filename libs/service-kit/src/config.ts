import { z } from 'zod'
import { engineUserFaults } from './engine-users.ts'
import { kafkaFaults } from './kafka-settings.ts'
import { insecureNetwork, plainNetworkFaults } from './plain-network.ts'

/** Parses an environment variable that contains JSON, and checks the value with `schema`. */
export const jsonEnv = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON' })
        return z.NEVER
      }
    })
    .pipe(schema)

const notAnAddress = 'must be http://host:port'

/**
 * The value lists the replicas of one service, separated by commas, each `http://host:port` with a name or an IPv4
 * address. TLS, a path or a user name are refused, because the clients would ignore them.
 */
export const replicaUrls = z
  .string()
  .transform((text) => text.split(',').map((url) => url.trim().replace(/\/$/, '')))
  .pipe(z.array(z.url(notAnAddress).regex(/^http:\/\/[\w.-]+:\d+$/, notAnAddress)).min(1))

export const hexKey = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be 32 bytes in hex')
  .transform((hex) => Buffer.from(hex, 'hex'))

/** With COOKIE_SECURE=true, browsers send the cookies over TLS only. `loadConfig` refuses `false` in production. */
export const cookieSecure = z.enum(['true', 'false']).transform((value) => value === 'true')

/** With RATE_LIMITS=off, no request is refused for exceeding a limit. `loadConfig` refuses `off` in production. */
export const rateLimits = z.enum(['on', 'off']).default('on')

const reservedDomain = '@calculator.example'

/**
 * People reach the operator at the address in a setting CONTACT_…. Production must set it; elsewhere an address of a
 * reserved domain is the default.
 */
export const contactAddress = (task: 'support' | 'privacy' | 'legal') =>
  z
    .union([z.literal(''), z.email()])
    .default('')
    .transform((given) => given || `${task}${reservedDomain}`)

/** Spans are sent to this OTLP endpoint; when it is empty, tracing is off. */
const otlpEndpoint = z.union([
  z.literal(''),
  z.url({ protocol: /^https?$/, error: 'must be an http(s) URL, or empty' }),
])

export const milliseconds = z.coerce.number().int().min(1)

const secretHash = z.string().regex(/^[0-9a-f]{64}$/)

const port = z.coerce.number().int().min(1).max(65535)

/** Every service reads these settings. Secrets have no default. */
export const commonEnv = z.object({
  SUMLOCK_MODE: z.enum(['local', 'test', 'production']),
  SUMLOCK_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/)
    .default('sumlock'),
  INSTANCE: z.string().min(1),
  HOST: z.string().default('127.0.0.1'),
  PORT: port,
  INTERNAL_PORT: port,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  CLOCK_OFFSET_MS: z.coerce.number().int().default(0),
  OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint.default(''),
  /** From 0 for no request to 1 for every request that is traced. */
  TRACE_SAMPLE_RATIO: z.coerce.number().min(0).max(1).default(0.01),
  /**
   * With `accepted`, production may connect without TLS to MongoDB, Kafka, Redis, the S3 store and a mail server
   * without password.
   */
  INSECURE_NETWORK: z.enum(insecureNetwork).default('refused'),
  /** Limits a call to another service, including attempts at further replicas. */
  INTERNAL_TIMEOUT_MS: milliseconds.default(1500),
  DRAIN_DELAY_MS: z.coerce.number().int().min(0).default(0),
  TOKEN_PUBLIC_KEYS: jsonEnv(
    z
      .array(z.object({ kid: z.string().min(1), pem: z.string().includes('PUBLIC KEY') }))
      .min(1)
      .max(2),
  ),
  INTERNAL_SECRET: z.string().min(32),
  /**
   * The value maps each calling service to the SHA-256 of its secret, or during a rotation to a list with the hashes
   * of the new and the old one.
   */
  INTERNAL_CALLERS: jsonEnv(
    z.record(z.string(), z.union([secretHash, z.array(secretHash).min(1).max(2)])),
  ).default({}),
})

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Parses the environment into a frozen object. Throws one ConfigError that names every fault, but no value, because a
 * value may be a secret.
 */
export function loadConfig<T extends z.ZodType>(schema: T, env: NodeJS.ProcessEnv): Readonly<z.output<T>> {
  const parsed = schema.safeParse(env)
  const faults = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  if (env['SUMLOCK_MODE'] === 'production' && Number(env['CLOCK_OFFSET_MS'] ?? 0) !== 0) {
    faults.push('CLOCK_OFFSET_MS: must be 0 in production')
  }
  faults.push(...kafkaFaults(env), ...plainNetworkFaults(env), ...engineUserFaults(env))
  if (env['SUMLOCK_MODE'] === 'production' && isCookieOpen(parsed.data)) {
    faults.push('COOKIE_SECURE: must be true in production')
  }
  if (env['SUMLOCK_MODE'] === 'production' && env['RATE_LIMITS'] === 'off') {
    faults.push('RATE_LIMITS: must be on in production')
  }
  if (env['SUMLOCK_MODE'] === 'production') faults.push(...contactFaults(parsed.data))
  if (!parsed.success || faults.length > 0) {
    throw new ConfigError(`The configuration has ${faults.length} fault(s):\n  ${faults.join('\n  ')}`)
  }
  return Object.freeze(parsed.data)
}

/** Services that set no cookies do not have the setting. */
const isCookieOpen = (config: unknown): boolean =>
  (config as { COOKIE_SECURE?: unknown } | undefined)?.COOKIE_SECURE === false

/** Reports the settings CONTACT_… that still have the default of `contactAddress`. */
const contactFaults = (config: unknown): string[] =>
  Object.entries(config ?? {}).flatMap(([name, value]) =>
    name.startsWith('CONTACT_') && String(value).endsWith(reservedDomain)
      ? [`${name}: must be an address in production, where people reach you`]
      : [],
  )

export type CommonConfig = Readonly<z.output<typeof commonEnv>>

const migrationEnv = commonEnv
  .pick({ SUMLOCK_MODE: true, LOG_LEVEL: true, INSECURE_NETWORK: true })
  .extend({ MONGO_URL: z.string().startsWith('mongodb') })

/** A migration needs none of its service's secrets except the address of the database. */
export const readMigrationConfig = (env: NodeJS.ProcessEnv = process.env) => loadConfig(migrationEnv, env)
