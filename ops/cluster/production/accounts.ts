import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseOwners } from '@sumlock/deployment/provision'
import { kafkaServices, kafkaUser } from '@sumlock/deployment/kafka-users'
import { redisUsers } from '@sumlock/deployment/redis-users'

/** The engines are in this namespace, and their host names end with it. */
export const enginesNamespace = 'engines'
export const hostOf = (engine: string): string => `${engine}.${enginesNamespace}.svc`

const members = (engine: string, port: number) =>
  [0, 1, 2].map((index) => `${engine}-${index}.${hostOf(engine)}:${port}`)

/** An operator chose these passwords and accounts. */
export interface Accounts {
  /** The administrator of every engine has this password. */
  administrator: string
  /** Returns the password of a user of MongoDB, Kafka or Redis. */
  passwordOf(user: string): string
  sms: Record<'TWILIO_ACCOUNT_SID' | 'TWILIO_API_KEY' | 'TWILIO_API_SECRET', string>
}

export const mongoMembers: readonly string[] = members('mongo', 27017)
export const kafkaBrokers: readonly string[] = members('kafka', 9092)
export const topicsUser = 'sumlock_topics'
export const databaseUser = (owner: string): string => `sumlock_${owner}`

const secret = () => randomBytes(16).toString('hex')

export function createAccounts(): Accounts {
  const passwords = new Map<string, string>()
  return {
    administrator: secret(),
    passwordOf(user) {
      const password = passwords.get(user) ?? secret()
      passwords.set(user, password)
      return password
    },
    sms: {
      TWILIO_ACCOUNT_SID: `AC${secret()}`,
      TWILIO_API_KEY: `SK${secret()}`,
      TWILIO_API_SECRET: secret(),
    },
  }
}

/** Returns the settings of the page's step "Engines", by name. */
export function engineSettings({ administrator, passwordOf, sms }: Accounts): Record<string, string> {
  const perService = (setting: string, service: string) => `${setting}_${service.toUpperCase()}`
  const mongo = databaseOwners.map((owner) => {
    const user = databaseUser(owner)
    const options = `replicaSet=rs0&authSource=${user}&tls=true`
    return [
      perService('MONGO_URL', owner),
      `mongodb://${user}:${passwordOf(user)}@${mongoMembers.join(',')}/${user}?${options}`,
    ] as const
  })
  const kafka = kafkaServices.flatMap((service) => [
    [perService('KAFKA_USERNAME', service), kafkaUser(service)] as const,
    [perService('KAFKA_PASSWORD', service), passwordOf(kafkaUser(service))] as const,
  ])
  const redis = redisUsers('sumlock').map(
    ({ name, service, setting }) =>
      [perService(setting, service), `rediss://${name}:${passwordOf(name)}@${hostOf('redis')}:6379`] as const,
  )
  return {
    ...Object.fromEntries([...mongo, ...kafka, ...redis]),
    KAFKA_BROKERS: kafkaBrokers.join(','),
    KAFKA_TLS: 'on',
    KAFKA_SASL_MECHANISM: 'scram-sha-512',
    KAFKA_USERNAME: topicsUser,
    KAFKA_PASSWORD: passwordOf(topicsUser),
    SMTP_URL: `smtp://sumlock:${administrator}@${hostOf('mail')}:587`,
    S3_BUCKET: 'media',
    S3_ACCESS_KEY_ID: 'media',
    S3_SECRET_ACCESS_KEY: passwordOf('media'),
    S3_ENDPOINT: `https://${hostOf('s3')}`,
    S3_REGION: 'us-east-1',
    ...sms,
  }
}

/** Writes the two files from which `npm run k8s:secrets -- production` makes the Secrets. */
export async function writeSettings(
  folder: string,
  settings: Readonly<Record<string, string>>,
  authority: string,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`)
  await writeFile(join(folder, 'production-engines.env'), lines.join(''), { mode: 0o600 })
  await writeFile(join(folder, 'production-authorities.pem'), authority)
}
