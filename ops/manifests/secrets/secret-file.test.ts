import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings } from '@sumlock/backup/config'
import { createSecrets } from '@sumlock/deployment/secrets'
import { parseAllDocuments } from 'yaml'
import { engineSettings, secretManifests } from './secret-manifests.ts'
import type { SecretManifest } from './secret-manifests.ts'
import { writeSecretFile } from './secret-file.ts'

const mongoUrls = ['AUTH', 'MESSAGING', 'BILLING', 'NOTIFY'].map((owner) => `MONGO_URL_${owner}`)
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sumlock-secrets-'))
})
afterEach(() => rm(folder, { recursive: true }))

const read = async (file: string) =>
  new Map(
    parseAllDocuments(await readFile(file, 'utf8'))
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
    expect(holders(secrets.backupKey)).toEqual(['backup'])
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
      ...Object.fromEntries(mongoUrls.map((name) => [name, `${name.toLowerCase()}-of-ours`])),
    })
    expect(made.has('mongo')).toBe(false)
  })

  it('gives the settings of a Kafka with TLS and a user to the topics job and to each service that uses it', async () => {
    const ca = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----'
    const kafka = { KAFKA_TLS: 'on', KAFKA_CA: ca, KAFKA_USERNAME: 'sumlock', KAFKA_PASSWORD: 'of ours' }
    const lines = Object.entries({
      ...Object.fromEntries(engineSettings.map((name) => [name, 'of ours'])),
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
    for (const [, settings] of holders) expect(settings).toMatchObject(kafka)
  })

  it('reports the error of a file that exists and cannot be read', async () => {
    await mkdir(join(folder, 'production-engines.env'))
    await expect(writeSecretFile('production', folder)).rejects.toThrow('EISDIR')
  })

  it('gives the backup the settings of the media bucket, and refuses incomplete ones', () => {
    const engines = Object.fromEntries(engineSettings.map((name) => [name, `${name}-of-ours`]))
    const bucketOf = (more: Record<string, string>) => {
      const all = secretManifests('production', createSecrets(), { ...engines, ...more })
      const made = all.find(({ metadata }) => metadata.name === 'backup')?.stringData
      return readSettings({ ...made, BACKUP_FOLDER: '/backups' }).bucket
    }
    const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }
    expect(bucketOf({})).toBeNull()
    expect(
      bucketOf({ S3_BUCKET: 'media', S3_ENDPOINT: 'https://store', S3_REGION: 'eu-1', ...keys }),
    ).toEqual({
      bucket: 'media',
      endpoint: 'https://store',
      region: 'eu-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    })
    expect(() => bucketOf({ S3_ENDPOINT: 'https://store' })).toThrow(
      'missing: S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY.',
    )
    expect(() => bucketOf(keys)).toThrow('missing: S3_BUCKET.')
  })

  it('is refused while an address of an engine is missing', () => {
    expect(() => secretManifests('production', createSecrets(), { KAFKA_BROKERS: 'kafka:9092' })).toThrow(
      'missing: MONGO_URL_AUTH, MONGO_URL_MESSAGING, MONGO_URL_BILLING, MONGO_URL_NOTIFY, REDIS_URL, SMTP_URL, TWILIO_ACCOUNT_SID, TWILIO_API_KEY, TWILIO_API_SECRET.',
    )
  })
})
