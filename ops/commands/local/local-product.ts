import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { readFileFrom } from '@sumlock/backup/backup-file'
import { chooseBackup } from '@sumlock/backup/backup-folder'
import { maxKeepDays } from '@sumlock/backup/config'
import type { BackupSettings } from '@sumlock/backup/config'
import { readManifest } from '@sumlock/backup/manifest'
import { createBucket } from '@sumlock/deployment/buckets'
import { mediaBucketSettings } from '@sumlock/deployment/media-bucket'
import { createUsers, databaseUrls } from '@sumlock/deployment/provision'
import { loadSecrets } from '@sumlock/deployment/secrets'
import { createMongo } from '@sumlock/dev/engines/mongo'
import { createS3, s3UrlOf } from '@sumlock/dev/engines/s3'
import { freePorts } from '@sumlock/dev/processes/ports'
import type { Progress } from '@sumlock/dev/processes/progress'
import { claimRun, isSupervised, readRunRecord } from '@sumlock/dev/processes/run-record'

const namespace = 'sumlock'
const secretsName = 'secrets.json'

/** Local backups are in this folder, which `npm run reset` keeps. */
export const localFolder = (dataDir: string): string => join(dataDir, 'backups')

export interface LocalOptions {
  dataDir: string
  command: string
  progress: Progress
}

/** The secrets are saved as well, because no PIN would be accepted with other peppers after `npm run reset`. */
export type LocalSettings = BackupSettings & { attachments: Record<string, Buffer> }
type Use = (settings: LocalSettings) => Promise<void>

/** Calls `use` with the settings of the local product, whether it runs or not. Throws when there is no data yet. */
export async function withProduct(options: LocalOptions, use: Use): Promise<void> {
  const { dataDir } = options
  if (!existsSync(join(dataDir, 'mongo')))
    throw new Error(`There is no data to save in ${dataDir}. To start the product: npm start`)
  const record = readRunRecord(dataDir)
  if (!record || !isSupervised(record)) return withStoppedProduct(options, use)
  const portOf = (part: string) => record.parts.find(({ name }) => name === part)?.port
  const [mongo, s3] = [portOf('mongo'), portOf('s3')]
  if (mongo === undefined || s3 === undefined)
    throw new Error('The product is still starting. Try again when npm run status shows mongo and s3.')
  await use(await settingsOf(dataDir, { mongo, s3 }))
}

/** Starts only MongoDB and the S3 store, and calls `use`. Throws when the product is running. */
export async function withStoppedProduct(options: LocalOptions, use: Use): Promise<void> {
  const { dataDir, progress } = options
  const run = await claimRun(dataDir, { ...options, url: 'no address yet' }, progress)
  try {
    const secrets = await loadSecrets(join(dataDir, secretsName))
    const [mongoPort, s3Port] = (await freePorts(2)) as [number, number]
    const { mongoAdminPassword: adminPassword, s3SecretKey: secretKey } = secrets
    const mongo = await createMongo({ dataDir, progress, port: mongoPort, adminPassword })
    const s3 = await createS3({ dataDir, progress, port: s3Port, secretKey })
    progress('Starting MongoDB and the S3 store alone …')
    try {
      await Promise.all([mongo.start(), s3.start()])
      await createUsers({ mongoAdminUrl: mongo.adminUrl }, secrets, namespace)
      await createBucket(mediaBucketSettings({ s3Url: s3.url }, namespace))
      await use(await settingsOf(dataDir, { mongo: mongoPort, s3: s3Port }))
    } finally {
      await Promise.all([mongo.stop(), s3.stop()])
    }
  } finally {
    run.release()
  }
}

async function settingsOf(dataDir: string, ports: Record<'mongo' | 's3', number>): Promise<LocalSettings> {
  const secrets = await loadSecrets(join(dataDir, secretsName))
  const mongoAdminUrl = `mongodb://admin@127.0.0.1:${ports.mongo}/admin?replicaSet=rs0`
  return {
    databaseUrls: databaseUrls({ mongoAdminUrl }, secrets, namespace),
    folder: localFolder(dataDir),
    key: localKey(dataDir),
    keepDays: maxKeepDays,
    bucket: mediaBucketSettings({ s3Url: s3UrlOf(ports.s3, secrets.s3SecretKey) }, namespace),
    peppers: [secrets.pinPepper, secrets.codePepper],
    attachments: { [secretsName]: readFileSync(join(dataDir, secretsName)) },
  }
}

/** Returns the key of the local backups, which is created at the first call. */
function localKey(dataDir: string): Buffer {
  const file = join(dataDir, 'backup.key')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
  if (key.length === 32) return key
  throw new Error(
    `${file} does not contain 32 bytes in hex. Put back the key that the backups were made with.`,
  )
}

/** Restores the secrets from the backup when there are none, such as after a reset or on another machine. */
export async function restoreSecrets(dataDir: string, wanted: string | undefined, progress: Progress) {
  const target = join(dataDir, secretsName)
  if (existsSync(target)) return
  const { name } = await chooseBackup(localFolder(dataDir), wanted)
  const task = { folder: join(localFolder(dataDir), name), key: localKey(dataDir), progress }
  const { attachments } = await readManifest(task)
  const attached = attachments.find((file) => file.name === secretsName)
  if (!attached) return
  writeFileSync(target, await buffer(readFileFrom(task, attached)), { mode: 0o600, flag: 'wx' })
  progress(`The secrets of ${name} are restored.`)
}
