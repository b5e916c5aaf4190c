import { brokerUsers, kafkaAccount, kafkaAdminAccount, kafkaServices } from '@sumlock/deployment/kafka-users'
import { mediaBucketName, s3AccessKeyId } from '@sumlock/deployment/media-bucket'
import { databaseOwners, databaseUrlName, databaseUrlsByName } from '@sumlock/deployment/provision'
import { redisConfiguration, redisUrls, redisUsers } from '@sumlock/deployment/redis-users'
import { secretSettings } from '@sumlock/deployment/secret-settings'
import type { Secrets } from '@sumlock/deployment/secrets'
import { serviceEnvironment, serviceNames } from '@sumlock/deployment/service-environment'
import type { PortPlan, ServiceName } from '@sumlock/deployment/service-environment'
import type { Overlay } from '../overlays.ts'
import { authoritiesSecret } from './authorities.ts'

export interface SecretManifest {
  apiVersion: 'v1'
  kind: 'Secret'
  metadata: { name: string; namespace: string; labels: Record<string, string> }
  type: 'Opaque'
  stringData: Record<string, string>
}

const namespace = 'sumlock'
const mongoMember = 'mongo-0.mongo:27017'

const mongoUrlNames = databaseOwners.map(databaseUrlName)

/** These settings may only be in a Secret. */
export const clusterSecrets: ReadonlySet<string> = new Set([...secretSettings, 'KAFKA_BROKERS', 'SMTP_URL'])

/** Returns the name of one service's setting in the settings for all: `KAFKA_PASSWORD_AUTH`. */
const nameFor = (service: ServiceName, setting: string) => `${setting}_${service.toUpperCase()}`

const userSettings = ['KAFKA_USERNAME', 'KAFKA_PASSWORD'] as const
const redisUrlNames = redisUsers(namespace).map(({ service, setting }) => nameFor(service, setting))
const kafkaUserNames = kafkaServices.flatMap((service) =>
  userSettings.map((setting) => nameFor(service, setting)),
)

const addressNames = [
  ...mongoUrlNames,
  'KAFKA_BROKERS',
  // The job that creates the topics signs in at Kafka with these.
  ...userSettings,
  ...kafkaUserNames,
  ...redisUrlNames,
  'SMTP_URL',
] as const
const bucketSettings = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
/** A store other than Amazon's needs these settings. */
const storeSettings = ['S3_ENDPOINT', 'S3_REGION'] as const
const smsAccount = ['TWILIO_ACCOUNT_SID', 'TWILIO_API_KEY', 'TWILIO_API_SECRET'] as const

/** Premium is sold with these accounts. Without them nothing is sold. */
const salesAccounts = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS', 'APP_STORE', 'GOOGLE_PLAY'] as const

/**
 * Production needs these settings from outside the cluster: the addresses of the engines, the bucket and the account
 * for SMS.
 */
export const engineSettings = [...addressNames, ...bucketSettings, ...smsAccount] as const

/** These settings belong to the addresses of the brokers. */
const kafkaSettings = ['KAFKA_TLS', 'KAFKA_CA', 'KAFKA_SASL_MECHANISM'] as const

/** Returns the addresses of the engines inside the cluster (overlay local). */
export const ownEngines = (secrets: Secrets): Record<string, string> => ({
  ...databaseUrlsByName({ mongoAdminUrl: `mongodb://${mongoMember}/?replicaSet=rs0` }, secrets, namespace),
  KAFKA_BROKERS: 'kafka:9092',
  ...kafkaAdminAccount(secrets),
  ...Object.fromEntries(
    serviceNames.flatMap((service) =>
      Object.entries({
        ...(kafkaServices.includes(service) ? kafkaAccount(service, secrets) : {}),
        ...redisUrls('redis://redis:6379', secrets, namespace, service),
      })
        .filter(([setting]) => secretSettings.has(setting))
        .map(([setting, value]) => [nameFor(service, setting), value]),
    ),
  ),
  S3_ENDPOINT: 'http://s3:7070',
  S3_BUCKET: mediaBucketName(namespace),
  S3_ACCESS_KEY_ID: s3AccessKeyId,
  S3_SECRET_ACCESS_KEY: secrets.s3SecretKey,
  SMTP_URL: 'smtp://inbox:1025',
})

/**
 * Returns every Secret that the pods of an overlay refer to; the one of private authorities only with `authorities`
 * (PEM). Throws with the names of all missing engine settings.
 */
export function secretManifests(
  overlay: Overlay,
  secrets: Secrets,
  engines: Readonly<Record<string, string>> = ownEngines(secrets),
  authorities?: string,
): SecretManifest[] {
  const needed = overlay === 'production' ? engineSettings : addressNames
  const missing = needed.filter((name) => !engines[name])
  if (missing.length > 0) throw new Error(`Settings of your engines are missing: ${missing.join(', ')}.`)
  refuseSharedUsers(engines)
  const all: Record<string, Record<string, string>> = {
    ...Object.fromEntries(serviceNames.map((service) => [service, environmentOf(service, secrets, engines)])),
    topics: pick(engines, ['KAFKA_BROKERS', ...userSettings, ...kafkaSettings]),
    backup: {
      BACKUP_KEY: secrets.backupKey,
      ...pick(engines, [...mongoUrlNames, ...bucketSettings, ...storeSettings]),
    },
    ...(overlay === 'local' ? engineSecrets(secrets) : {}),
    ...(authorities === undefined ? {} : { authorities: authoritiesSecret(authorities) }),
  }
  return Object.entries(all).map(([name, stringData]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: { 'app.kubernetes.io/part-of': 'sumlock' } },
    type: 'Opaque',
    stringData,
  }))
}

/** Throws when two services share a user, which would have the rights of both. */
function refuseSharedUsers(engines: Readonly<Record<string, string>>): void {
  const usersOf = {
    Kafka: ['KAFKA_USERNAME', ...kafkaServices.map((service) => nameFor(service, 'KAFKA_USERNAME'))],
    Redis: redisUrlNames,
  }
  for (const [engine, names] of Object.entries(usersOf)) {
    const users = names.map((name) => URL.parse(engines[name] ?? '')?.username ?? engines[name])
    const shared = names.filter((_, index) => users.indexOf(users[index]) !== users.lastIndexOf(users[index]))
    if (shared.length > 0)
      throw new Error(
        `${shared.join(' and ')} name the same user of ${engine}. Give each of them a user of its own (docs/engine-users.md).`,
      )
  }
}

const pick = (from: Readonly<Record<string, string>>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (from[name] ? [[name, from[name]]] : [])))

/** Returns the settings of a service that may only be in a Secret. */
function environmentOf(
  service: ServiceName,
  secrets: Secrets,
  engines: Readonly<Record<string, string>>,
): Record<string, string> {
  const unused = {
    kafkaBrokers: '',
    kafkaAdminPassword: 'unused',
    redisUrl: 'redis://unused',
    s3Url: 'http://unused',
    smtpUrl: '',
    inboxUrl: '',
  }
  const all = serviceEnvironment(service, 0, {
    addresses: { mongoAdminUrl: 'mongodb://unused', ...unused },
    secrets,
    namespace,
    mode: 'local',
    ports: Object.fromEntries(serviceNames.map((name) => [name, [{ public: 0, internal: 0 }]])) as PortPlan,
    publicOrigins: [],
    webRoot: '',
    logLevel: 'info',
  })
  const secret = Object.entries(all).filter(([name]) => clusterSecrets.has(name))
  return {
    ...Object.fromEntries(
      secret.map(([name, value]) => [name, engines[nameFor(service, name)] ?? engines[name] ?? value]),
    ),
    ...('KAFKA_BROKERS' in all ? pick(engines, kafkaSettings) : {}),
    ...(service === 'messaging' ? pick(engines, [...bucketSettings, ...storeSettings]) : {}),
    ...(service === 'notify' ? pick(engines, smsAccount) : {}),
    ...(service === 'billing' ? pick(engines, salesAccounts) : {}),
  }
}

function engineSecrets(secrets: Secrets): Record<string, Record<string, string>> {
  const { mongoAdminPassword, mongoPasswords, s3SecretKey } = secrets
  return {
    mongo: {
      'admin-password': mongoAdminPassword,
      keyfile: Buffer.from(mongoAdminPassword, 'hex').toString('base64'),
    },
    'mongo-setup': {
      MONGO_MEMBER: mongoMember,
      MONGO_ADMIN_PASSWORD: mongoAdminPassword,
      MONGO_PASSWORDS: JSON.stringify(mongoPasswords),
    },
    kafka: { 'users.properties': brokerUsers(secrets) },
    redis: { 'redis.conf': redisConfiguration(secrets, namespace) },
    s3: { ROOT_ACCESS_KEY: s3AccessKeyId, ROOT_SECRET_KEY: s3SecretKey },
  }
}
