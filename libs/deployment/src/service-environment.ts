import { createHash } from 'node:crypto'
import type { EngineAddresses } from './engine-addresses.ts'
import { kafkaAccount, kafkaServices } from './kafka-users.ts'
import { mediaBucketSettings } from './media-bucket.ts'
import { databaseOwners, databaseUrl } from './provision.ts'
import type { DatabaseOwner } from './provision.ts'
import { redisUrls } from './redis-users.ts'
import { internalCallers } from './secrets.ts'
import type { CallerName, Secrets } from './secrets.ts'

export type ServiceName = CallerName
export const serviceNames = internalCallers

export interface InstancePorts {
  public: number
  internal: number
}

/** The plan has the ports of every instance, by service. */
export type PortPlan = Record<ServiceName, InstancePorts[]>

export interface EnvironmentOptions {
  addresses: EngineAddresses
  secrets: Secrets
  namespace: string
  mode: 'local' | 'test'
  ports: PortPlan
  publicOrigins: readonly string[]
  webRoot: string
  logLevel: string
}

/** Each service calls the internal routes of these services. */
const internalCallees: Record<ServiceName, readonly DatabaseOwner[]> = {
  gateway: ['auth', 'messaging', 'billing'],
  auth: ['messaging'],
  messaging: ['auth', 'billing'],
  billing: ['auth'],
  notify: ['auth'],
  realtime: ['auth', 'messaging'],
}

/**
 * These services have rate limits per address and person. Tests turn them off, because all people of a test suite
 * share one address.
 */
const limiting: readonly ServiceName[] = ['gateway', 'auth', 'realtime']

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * Returns the environment of one instance: common settings, the addresses of its engines and of other services, and
 * only those secrets that the service needs.
 */
export function serviceEnvironment(
  service: ServiceName,
  index: number,
  options: EnvironmentOptions,
): Record<string, string> {
  const { addresses, secrets, namespace, ports } = options
  const own = ports[service][index] as InstancePorts
  const urls = (name: ServiceName, port: keyof InstancePorts) =>
    ports[name].map((instance) => `http://127.0.0.1:${instance[port]}`).join(',')
  const databaseOwner = databaseOwners.find((owner) => owner === service)
  const letIn = internalCallers.filter((caller) =>
    internalCallees[caller].some((callee) => callee === service),
  )
  return {
    SUMLOCK_MODE: options.mode,
    SUMLOCK_NAMESPACE: namespace,
    INSTANCE: `${service}-${index + 1}`,
    PORT: String(own.public),
    INTERNAL_PORT: String(own.internal),
    LOG_LEVEL: options.logLevel,
    // A single instance has no replica that takes over while it drains.
    DRAIN_DELAY_MS: ports[service].length > 1 ? '500' : '0',
    TOKEN_PUBLIC_KEYS: JSON.stringify([{ kid: secrets.tokenKid, pem: secrets.tokenPublicKey }]),
    INTERNAL_SECRET: secrets.internalSecrets[service],
    INTERNAL_CALLERS: JSON.stringify(
      Object.fromEntries(letIn.map((caller) => [caller, sha256(secrets.internalSecrets[caller])])),
    ),
    ...(databaseOwner ? { MONGO_URL: databaseUrl(addresses, secrets, namespace, databaseOwner) } : {}),
    ...(kafkaServices.includes(service)
      ? {
          KAFKA_BROKERS: addresses.kafkaBrokers,
          ...(addresses.kafkaAdminPassword ? kafkaAccount(service, secrets) : {}),
        }
      : {}),
    ...redisUrls(addresses.redisUrl, secrets, namespace, service),
    ...Object.fromEntries(
      internalCallees[service].map((name) => [`${name.toUpperCase()}_INTERNAL_URL`, urls(name, 'internal')]),
    ),
    ...(limiting.includes(service) ? { RATE_LIMITS: options.mode === 'test' ? 'off' : 'on' } : {}),
    ...particular(service, options, urls),
  }
}

function particular(
  service: ServiceName,
  { secrets, addresses, namespace, publicOrigins, webRoot, mode }: EnvironmentOptions,
  urls: (name: ServiceName, port: keyof InstancePorts) => string,
): Record<string, string> {
  switch (service) {
    case 'gateway':
      return {
        AUTH_URL: urls('auth', 'public'),
        MESSAGING_URL: urls('messaging', 'public'),
        BILLING_URL: urls('billing', 'public'),
        NOTIFY_URL: urls('notify', 'public'),
        REALTIME_URL: urls('realtime', 'public'),
        CSRF_SECRET: secrets.csrfSecret,
        PUBLIC_ORIGINS: publicOrigins.join(','),
        WEB_ROOT: webRoot,
        COOKIE_SECURE: 'false',
      }
    case 'realtime':
      return {
        PUBLIC_ORIGINS: publicOrigins.join(','),
        COOKIE_SECURE: 'false',
      }
    case 'auth':
      return {
        TOKEN_PRIVATE_KEY: secrets.tokenPrivateKey,
        TOKEN_KID: secrets.tokenKid,
        PIN_PEPPER: secrets.pinPepper,
        CODE_PEPPER: secrets.codePepper,
        OUTBOX_KEY_SECRET: secrets.outboxKeySecret,
        KEY_SHARE_SECRETS: JSON.stringify([{ id: secrets.keyShareSecretId, secret: secrets.keyShareSecret }]),
        NOTICE_KEY: secrets.noticeKey,
        NOTICE_KEY_ID: secrets.noticeKeyId,
        BCRYPT_COST: mode === 'test' ? '4' : '10',
        COOKIE_SECURE: 'false',
        SMS_PER_HOUR: mode === 'test' ? '100000' : '10000',
        PUBLIC_ORIGINS: publicOrigins.join(','),
      }
    case 'notify':
      return {
        NOTICE_KEYS: JSON.stringify({
          [secrets.noticeKeyId]: secrets.noticeKey,
          [secrets.billingNoticeKeyId]: secrets.billingNoticeKey,
        }),
        SMTP_URL: addresses.smtpUrl,
        SMS_VIA: 'inbox',
      }
    case 'billing':
      return {
        NOTICE_KEY: secrets.billingNoticeKey,
        NOTICE_KEY_ID: secrets.billingNoticeKeyId,
        GIFT_CODE_KEYS: JSON.stringify({ [secrets.giftCodeKeyId]: secrets.giftCodeKey }),
        GIFT_CODE_KEY_ID: secrets.giftCodeKeyId,
        GIFT_HASH_KEY: secrets.giftHashKey,
        PAYMENTS: 'sandbox',
        REDEEM_TRIES_PER_ADDRESS: mode === 'test' ? '100000' : '60',
        PUBLIC_ORIGINS: publicOrigins.join(','),
      }
    case 'messaging':
      return {
        REPORT_KEYS: JSON.stringify([{ id: secrets.reportKeyId, secret: secrets.reportKey }]),
        ...mediaBucketSettings(addresses, namespace),
        PUBLIC_ORIGINS: publicOrigins.join(','),
      }
  }
}
