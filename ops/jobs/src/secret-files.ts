import { brokerUsers, kafkaAdminAccount } from '@sumlock/deployment/kafka-users'
import { s3AccessKeyId } from '@sumlock/deployment/media-bucket'
import { databaseUrlsByName } from '@sumlock/deployment/provision'
import { redisConfiguration } from '@sumlock/deployment/redis-users'
import { secretSettings } from '@sumlock/deployment/secret-settings'
import { serviceEnvironment, serviceNames } from '@sumlock/deployment/service-environment'
import type { PortPlan, ServiceName } from '@sumlock/deployment/service-environment'
import type { Secrets } from '@sumlock/deployment/secrets'

export interface NetworkNames {
  namespace: string
  /** The value is `host:port`. */
  mongo: string
  redis: string
}

type Environment = Record<string, string>

/** Returns the files with secrets by their path `<reader>/<file>` below the folder of secrets. */
export function secretFiles(secrets: Secrets, names: NetworkNames): Record<string, string> {
  const databases = databaseUrlsByName(addressesOf(secrets, names), secrets, names.namespace)
  const files: Record<string, string> = {
    'backup/service.env': environmentFile({
      ...databases,
      BACKUP_KEY: secrets.backupKey,
      S3_ACCESS_KEY_ID: s3AccessKeyId,
      S3_SECRET_ACCESS_KEY: secrets.s3SecretKey,
    }),
    'migrate/service.env': environmentFile(databases),
    'mongo/keyfile': `${Buffer.from(secrets.mongoAdminPassword, 'hex').toString('base64')}\n`,
    'kafka/users.properties': brokerUsers(secrets),
    'create-topics/service.env': environmentFile(onlySecrets(kafkaAdminAccount(secrets))),
    'redis/redis.conf': redisConfiguration(secrets, names.namespace),
    's3/s3.env': `ROOT_ACCESS_KEY=${s3AccessKeyId}\nROOT_SECRET_KEY=${secrets.s3SecretKey}\n`,
  }
  for (const service of serviceNames)
    files[`${service}/service.env`] = environmentFile(secretEnvironment(service, secrets, names))
  return files
}

/** Returns the secret settings of one service. */
export function secretEnvironment(service: ServiceName, secrets: Secrets, names: NetworkNames): Environment {
  const noPorts = Object.fromEntries(serviceNames.map((name) => [name, [{ public: 0, internal: 0 }]]))
  const whole = serviceEnvironment(service, 0, {
    addresses: addressesOf(secrets, names),
    secrets,
    namespace: names.namespace,
    publicOrigins: [],
    webRoot: '',
    logLevel: 'info',
    mode: 'local',
    ports: noPorts as PortPlan,
  })
  return onlySecrets(whole)
}

const onlySecrets = (all: Environment): Environment =>
  Object.fromEntries(Object.entries(all).filter(([name]) => secretSettings.has(name)))

const addressesOf = (secrets: Secrets, { mongo, redis }: NetworkNames) => ({
  mongoAdminUrl: `mongodb://admin:${secrets.mongoAdminPassword}@${mongo}/admin?replicaSet=rs0&authSource=admin`,
  redisUrl: `redis://:${secrets.redisPassword}@${redis}`,
  s3Url: `http://${s3AccessKeyId}:${secrets.s3SecretKey}@s3`,
  kafkaBrokers: '',
  kafkaAdminPassword: secrets.kafkaAdminPassword,
  smtpUrl: '',
  inboxUrl: '',
})

/**
 * Returns text in the format of Node's `--env-file`. Throws for a value with a single quote, which the format does
 * not allow.
 */
export function environmentFile(values: Readonly<Environment>): string {
  const lines = Object.entries(values).map(([name, value]) => {
    if (value.includes("'"))
      throw new Error(
        `${name} holds a single quote, which is not possible in an environment file. Choose another value.`,
      )
    return `${name}='${value}'\n`
  })
  return lines.join('')
}
