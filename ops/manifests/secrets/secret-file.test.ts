import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { readSettings } from '@sumlock/backup/config'
import { kafkaServices, kafkaUser } from '@sumlock/deployment/kafka-users'
import { redisUsers } from '@sumlock/deployment/redis-users'
import { createSecrets } from '@sumlock/deployment/secrets'
import { parseAllDocuments } from 'yaml'
import { engineSettings, secretManifests } from './secret-manifests.ts'
import type { SecretManifest } from './secret-manifests.ts'
import { writeSecretFile } from './secret-file.ts'

const bucket = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
const mongoUrls = ['AUTH', 'MESSAGING', 'BILLING', 'NOTIFY'].map((owner) => `MONGO_URL_${owner}`)
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sumlock-secrets-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Reads a file as kubectl does, by YAML 1.1. */
const read = async (file: string) =>
  new Map(
    parseAllDocuments(await readFile(file, 'utf8'), { version: '1.1' })
      .map((document) => document.toJS() as SecretManifest)
      .map(({ metadata, stringData }) => [metadata.name, stringData]),
  )

describe('the file of Kubernetes Secrets', () => {
  it('is readable by its owner only and stays the same when written again', async () => {
    const file = await writeSecretFile('local', folder)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const first = await read(file)
    expect(await read(await writeSecretFile('local', folder))).toEqual(first)
  })

  it('gives each service its own internal secret and only a hash of each other one', () => {
    const secrets = createSecrets()
    const all = secretManifests('local', secrets)
    const holders = (text: string) =>
      all
        .filter(({ stringData }) => JSON.stringify(stringData).includes(text))
        .map(({ metadata }) => metadata.name)
    expect(holders(secrets.internalSecrets.messaging)).toEqual(['messaging'])
    expect(holders(secrets.mongoPasswords.billing)).toEqual(['billing', 'backup', 'mongo-setup'])
    expect(holders(secrets.pinPepper)).toEqual(['auth'])
    expect(holders(secrets.reportKey)).toEqual(['messaging'])
    expect(holders(secrets.backupKey)).toEqual(['backup'])
    expect(holders(secrets.s3SecretKey)).toEqual(['messaging', 'backup', 's3'])
    expect(holders(secrets.mongoAdminPassword)).toEqual(['mongo', 'mongo-setup'])
  })

  it('reads the engines of production from a file, and names the file and its lines when it is missing', async () => {
    await expect(writeSecretFile('production', folder)).rejects.toThrow(
      /production-engines\.env[^]*MONGO_URL_AUTH=/,
    )
    const engines = engineSettings.map((name) => `${name}=${name.toLowerCase()}-of-ours`)
    await writeFile(join(folder, 'production-engines.env'), engines.join('\n'))
    const made = await read(await writeSecretFile('production', folder))
    expect(made.get('billing')).toMatchObject({
      MONGO_URL: 'mongo_url_billing-of-ours',
      KAFKA_BROKERS: 'kafka_brokers-of-ours',
    })
    expect(made.get('notify')).toMatchObject({
      SMTP_URL: 'smtp_url-of-ours',
      TWILIO_API_SECRET: 'twilio_api_secret-of-ours',
    })
    expect(JSON.stringify([...made]).match(/twilio_api_secret/g)).toHaveLength(1)
    expect(made.get('backup')).toEqual({
      BACKUP_KEY: expect.stringMatching(/^[0-9a-f]{64}$/),
      ...Object.fromEntries([...mongoUrls, ...bucket].map((name) => [name, `${name.toLowerCase()}-of-ours`])),
    })
    expect(made.has('mongo')).toBe(false)
  })

  it.each([
    ['KAFKA_PASSWORD=half#whole', 'the values of KAFKA_PASSWORD in single quotes'],
    ['KAFKA_PASSWORD=…', 'still have a "…": KAFKA_PASSWORD.'],
  ])('refuses the line %s', async (line, reason) => {
    const others = engineSettings.map((name) => `${name}='${name}#of ours' # the engine's`)
    await writeFile(join(folder, 'production-engines.env'), [...others, line].join('\n'))
    await expect(writeSecretFile('production', folder)).rejects.toThrow(reason)
  })

  it('gives the settings of a Kafka with TLS and a user to the topics job and to each service that uses it', async () => {
    const ca = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----'
    const kafka = { KAFKA_TLS: 'on', KAFKA_CA: ca }
    const lines = Object.entries({
      ...Object.fromEntries(engineSettings.map((name) => [name, `${name} of ours`])),
      ...kafka,
    }).map(([name, value]) => `${name}="${value}"`)
    await writeFile(join(folder, 'production-engines.env'), lines.join('\n'))
    const made = await read(await writeSecretFile('production', folder))
    const holders = [...made].filter(([, settings]) => 'KAFKA_PASSWORD' in settings)
    expect(holders.map(([name]) => name)).toEqual([
      'auth',
      'messaging',
      'billing',
      'notify',
      'realtime',
      'topics',
    ])
    for (const [name, settings] of holders) {
      const suffix = name === 'topics' ? '' : `_${name.toUpperCase()}`
      expect(settings).toMatchObject({
        ...kafka,
        KAFKA_USERNAME: `KAFKA_USERNAME${suffix} of ours`,
        KAFKA_PASSWORD: `KAFKA_PASSWORD${suffix} of ours`,
      })
    }
  })

  it('gives the accounts with which premium is sold to billing and to nothing else, as they are written', async () => {
    const accounts = {
      STRIPE_SECRET_KEY: 'sk_live_1',
      STRIPE_WEBHOOK_SECRETS: 'whsec_1,whsec_2',
      APP_STORE: JSON.stringify({ privateKey: 'of Apple\n' }),
      GOOGLE_PLAY: JSON.stringify({ privateKey: 'of Google\n' }),
    }
    const lines = [
      ...engineSettings.map((name) => `${name}=${name}-of-ours`),
      ...Object.entries(accounts).map(([name, value]) => `${name}='${value}'`),
    ]
    await writeFile(join(folder, 'production-engines.env'), lines.join('\n'))
    const made = await read(await writeSecretFile('production', folder))
    expect(made.get('billing')).toMatchObject(accounts)
    for (const name of Object.keys(accounts))
      expect([...made].filter(([, settings]) => name in settings).map(([holder]) => holder)).toEqual([
        'billing',
      ])
  })

  it('has a Secret of private authorities only while their file exists', async () => {
    expect((await read(await writeSecretFile('local', folder))).has('authorities')).toBe(false)
    const [present, former] = rootCertificates as [string, string]
    await writeFile(join(folder, 'local-authorities.pem'), `# present\n${present}\n# former\n${former}`)
    expect((await read(await writeSecretFile('local', folder))).get('authorities')).toEqual({
      file: '/run/authorities/authorities.pem',
      'authorities.pem': `${present}\n${former}\n`,
    })
  })

  it.each([
    ['no certificate', 'calculator'],
    ['a key', `${rootCertificates[0]}\n-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----`],
    ['a broken certificate', '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----'],
  ])('is refused while the file of private authorities holds %s', async (_what, text) => {
    await writeFile(join(folder, 'local-authorities.pem'), text)
    await expect(writeSecretFile('local', folder)).rejects.toThrow(/authorities.*certificates \(PEM\)/)
  })

  it('reports the error of a file that exists and cannot be read', async () => {
    await mkdir(join(folder, 'production-engines.env'))
    await expect(writeSecretFile('production', folder)).rejects.toThrow('EISDIR')
  })

  it('gives the media bucket to messaging and the backup, with the address of a store other than Amazon’s', () => {
    const engines = Object.fromEntries(engineSettings.map((name) => [name, `${name}-of-ours`]))
    const store = { S3_ENDPOINT: 'https://store', S3_REGION: 'eu-1' }
    const whole = { ...Object.fromEntries(bucket.map((name) => [name, `${name}-of-ours`])), ...store }
    const made = secretManifests('production', createSecrets(), { ...engines, ...store })
    const holders = made.filter(({ stringData }) => 'S3_BUCKET' in stringData)
    expect(holders.map(({ metadata }) => metadata.name)).toEqual(['messaging', 'backup'])
    for (const { stringData } of holders) expect(stringData).toMatchObject(whole)
    const backup = holders.find(({ metadata }) => metadata.name === 'backup')?.stringData
    expect(readSettings({ ...backup, BACKUP_FOLDER: '/backups' }).bucket).toEqual(whole)
  })

  it('is refused while an address of an engine is missing', () => {
    const missing = engineSettings.filter((name) => name !== 'KAFKA_BROKERS')
    expect(missing).toContain('KAFKA_PASSWORD_REALTIME')
    expect(missing).toContain('REDIS_PUBLISH_URL_REALTIME')
    expect(() => secretManifests('production', createSecrets(), { KAFKA_BROKERS: 'kafka:9092' })).toThrow(
      `missing: ${missing.join(', ')}.`,
    )
  })

  it.each([
    ['Kafka', { KAFKA_USERNAME_NOTIFY: 'KAFKA_USERNAME_AUTH-of-ours' }],
    ['Kafka', { KAFKA_USERNAME_NOTIFY: 'KAFKA_USERNAME-of-ours' }],
    ['Redis', { REDIS_URL_AUTH: 'rediss://a:1@redis', REDIS_URL_MESSAGING: 'rediss://a:1@redis' }],
  ])('is refused while two readers have the same user of %s', (engine, shared) => {
    const engines = Object.fromEntries(engineSettings.map((name) => [name, `${name}-of-ours`]))
    const make = () => secretManifests('production', createSecrets(), { ...engines, ...shared })
    expect(make).toThrow(`name the same user of ${engine}`)
  })

  it('gives each service its own users of Kafka and Redis in the local overlay, which its engines are given, too', () => {
    const secrets = createSecrets()
    const made = Object.fromEntries(
      secretManifests('local', secrets).map(({ metadata, stringData }) => [metadata.name, stringData]),
    )
    for (const service of kafkaServices) {
      const { KAFKA_USERNAME: user, KAFKA_PASSWORD: password } = made[service] ?? {}
      expect(user).toBe(kafkaUser(service))
      expect(made['kafka']?.['users.properties']).toContain(`user_${user}="${password}"`)
    }
    for (const { name, service, setting } of redisUsers('sumlock')) {
      const { username, password } = new URL(made[service]?.[setting] ?? '')
      expect(username).toBe(name)
      expect(made['redis']?.['redis.conf']).toContain(`user ${name} reset resetchannels on >${password} `)
    }
  })
})
