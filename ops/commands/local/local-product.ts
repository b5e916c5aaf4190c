import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readFileFrom } from '@sumlock/backup/backup-file'
import { chooseBackup } from '@sumlock/backup/backup-folder'
import { productVersion } from '@sumlock/backup/command'
import { RefusedError } from '@sumlock/backup/errors'
import { readManifest } from '@sumlock/backup/manifest'
import type { BackupSettings } from '@sumlock/backup/settings'
import { createMongo } from '@sumlock/dev/engines/mongo'
import { freePorts } from '@sumlock/dev/processes/ports'
import { createUsers, databaseUrls } from '@sumlock/deployment/provision'
import { claimRun, isSupervised, readRunRecord, runsAlready } from '@sumlock/dev/processes/run-record'
import { loadSecrets } from '@sumlock/deployment/secrets'
import type { Secrets } from '@sumlock/deployment/secrets'

const namespace = 'sumlock'
const secretsName = 'secrets.json'

/** Folder of the local backups, which `npm run reset` keeps. */
export const localFolder = (dataDir: string): string => join(dataDir, 'backups')

export interface LocalOptions {
  dataDir: string
  command: string
  /** Whether the command may run beside the product. */
  mayRun: boolean
  progress: (text: string) => void
}

export type LocalSettings = BackupSettings & { dataDir: string }

/** Calls `use` with the settings of the local product. Starts its MongoDB, and nothing else, when it is not running. */
export async function withLocalProduct(
  { dataDir, command, mayRun, progress }: LocalOptions,
  use: (settings: LocalSettings) => Promise<void>,
): Promise<void> {
  const record = readRunRecord(dataDir)
  const isRunning = record !== null && isSupervised(record)
  if (isRunning && !mayRun) throw new RefusedError(runsAlready(record))
  if (mayRun && !existsSync(join(dataDir, 'mongo')))
    throw new RefusedError(`There is no data to save in ${dataDir}. To start the product: npm start`)
  const port = isRunning ? record.parts.find(({ name }) => name === 'mongo')?.port : undefined
  if (isRunning && port === undefined)
    throw new RefusedError('The product is still starting. Try again when npm run status shows mongo.')
  const secrets = await loadSecrets(join(dataDir, secretsName))
  if (port !== undefined) return use(settingsOf(dataDir, secrets, port))
  const run = await claimRun({ dataDir, command, url: 'no address yet', progress })
  try {
    const [free] = (await freePorts(1)) as [number]
    const mongo = await createMongo({
      dataDir,
      progress,
      port: free,
      adminPassword: secrets.mongoAdminPassword,
    })
    progress('Starting MongoDB alone …')
    try {
      await mongo.start()
      await createUsers({ mongoAdminUrl: mongo.adminUrl }, secrets, namespace)
      await use(settingsOf(dataDir, secrets, free))
    } finally {
      await mongo.stop()
    }
  } finally {
    run.release()
  }
}

function settingsOf(dataDir: string, secrets: Secrets, port: number): LocalSettings {
  const mongoAdminUrl = `mongodb://admin@127.0.0.1:${port}/admin?replicaSet=rs0`
  return {
    databaseUrls: databaseUrls({ mongoAdminUrl }, secrets, namespace),
    dataDir,
    folder: localFolder(dataDir),
    key: localKey(dataDir),
    version: productVersion,
    // The local product has no media bucket.
    bucket: null,
    peppers: [secrets.pinPepper, secrets.codePepper],
  }
}

/** The local key, created on first use. */
function localKey(dataDir: string): Buffer {
  const file = join(dataDir, 'backup.key')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
  if (key.length !== 32)
    throw new RefusedError(
      `${file} does not contain 32 bytes in hex. Put back the key that the backups were made with.`,
    )
  return key
}

/** The secrets that a local backup contains: with other peppers no PIN would be accepted after `npm run reset`. */
export const attachedSecrets = (dataDir: string): Promise<Record<string, Buffer>> =>
  Promise.resolve({ [secretsName]: readFileSync(join(dataDir, secretsName)) })

/** Restores the secrets from the backup when there are none, as after a reset or on another machine. */
export async function restoreSecrets(
  dataDir: string,
  wanted: string | undefined,
  progress: (text: string) => void,
): Promise<void> {
  const target = join(dataDir, secretsName)
  if (existsSync(target)) return
  const folder = localFolder(dataDir)
  const { name } = await chooseBackup(folder, wanted)
  const key = localKey(dataDir)
  const manifest = await readManifest(join(folder, name), key)
  const attached = manifest.attachments.find((file) => file.name === secretsName)
  if (!attached) return
  const content = await readFileFrom(join(folder, name), attached, key, async (plain) => {
    const chunks: Buffer[] = []
    for await (const chunk of plain) chunks.push(chunk)
    return Buffer.concat(chunks)
  })
  writeFileSync(target, content, { mode: 0o600, flag: 'wx' })
  progress(`The secrets of ${name} are restored.`)
}
