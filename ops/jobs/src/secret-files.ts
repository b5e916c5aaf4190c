import type { EngineAddresses } from '@sumlock/deployment/engine-addresses'
import { databaseUrlsByName } from '@sumlock/deployment/provision'
import { secretSettings } from '@sumlock/deployment/secret-settings'
import { serviceEnvironment, serviceNames } from '@sumlock/deployment/service-environment'
import type { PortPlan, ServiceName } from '@sumlock/deployment/service-environment'
import type { Secrets } from '@sumlock/deployment/secrets'

export interface NetworkNames {
  namespace: string
  /** `host:port` */
  mongo: string
  redis: string
}

const s3AccessKey = 'sumlock'

/** Every file with secrets, by its path below the folder of secrets: `<reader>/<file>`. */
export function secretFiles(secrets: Secrets, names: NetworkNames): Record<string, string> {
  const files = serviceNames.map((service) => [
    `${service}/service.env`,
    environmentFile(secretEnvironment(service, secrets, names)),
  ])
  return {
    ...(Object.fromEntries(files) as Record<string, string>),
    'backup/service.env': environmentFile(backupEnvironment(secrets, names)),
    'migrate/service.env': environmentFile(databaseEnvironment(secrets, names)),
    'mongo/keyfile': `${Buffer.from(secrets.mongoAdminPassword, 'hex').toString('base64')}\n`,
    'redis/redis.conf': `requirepass ${secrets.redisPassword}\nsave ""\nappendonly no\ndir /tmp\n`,
    's3/s3.env': `ROOT_ACCESS_KEY=${s3AccessKey}\nROOT_SECRET_KEY=${secrets.s3SecretKey}\n`,
  }
}

/** The secret settings of one service. */
export function secretEnvironment(
  service: ServiceName,
  secrets: Secrets,
  names: NetworkNames,
): Record<string, string> {
  const addresses = addressesOf(secrets, names)
  const { namespace } = names
  const open = { publicOrigins: [], webRoot: '', logLevel: 'info', mode: 'local', ports: noPorts } as const
  const whole = serviceEnvironment(service, 0, { addresses, secrets, namespace, ...open })
  return Object.fromEntries(Object.entries(whole).filter(([name]) => secretSettings.has(name)))
}

/** The secret settings of the backup: its key, and access to the databases and the bucket. */
const backupEnvironment = (secrets: Secrets, names: NetworkNames): Record<string, string> => ({
  BACKUP_KEY: secrets.backupKey,
  ...databaseEnvironment(secrets, names),
  S3_ACCESS_KEY_ID: s3AccessKey,
  S3_SECRET_ACCESS_KEY: secrets.s3SecretKey,
})

const databaseEnvironment = (secrets: Secrets, names: NetworkNames): Record<string, string> =>
  databaseUrlsByName(addressesOf(secrets, names), secrets, names.namespace)

const addressesOf = (secrets: Secrets, { mongo, redis }: NetworkNames): EngineAddresses => ({
  mongoAdminUrl: `mongodb://admin:${secrets.mongoAdminPassword}@${mongo}/admin?replicaSet=rs0&authSource=admin`,
  redisUrl: `redis://:${secrets.redisPassword}@${redis}`,
  kafkaBrokers: '',
  smtpUrl: '',
  inboxUrl: '',
})

const noPorts = Object.fromEntries(
  serviceNames.map((name) => [name, [{ public: 0, internal: 0 }]]),
) as PortPlan

/** In the format of Node's `--env-file`, in which a value cannot contain a single quote. */
export function environmentFile(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => {
      if (value.includes("'"))
        throw new Error(`${name} holds a single quote, which an environment file cannot carry.`)
      return `${name}='${value}'\n`
    })
    .join('')
}
