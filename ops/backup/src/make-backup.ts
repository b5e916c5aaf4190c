import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import mongoose from 'mongoose'
import type { Clock } from '@sumlock/service-kit/clock'
import { backupName, deleteExpired, writeComplete } from './backup-folder.ts'
import type { Expiry } from './backup-folder.ts'
import { writeFileInto } from './backup-file.ts'
import type { BackupTask } from './backup-file.ts'
import { openBucket } from './bucket.ts'
import { keyIdOf, mac } from './cipher.ts'
import { indexesOf, readCollection } from './collection.ts'
import { maxKeepDays } from './config.ts'
import type { BackupSettings } from './config.ts'
import { ownCollections, presentMoments, requireWhole, withDatabases } from './database.ts'
import type { FoundCollection, OwnedDatabase, Timestamp } from './database.ts'
import { writeManifest } from './manifest.ts'
import type { Manifest, SavedCollection, SavedDatabase } from './manifest.ts'
import { saveObjects } from './media.ts'
import { keepPurgedIds } from './purged-ids.ts'

export interface BackupOptions extends BackupSettings {
  clock: Clock
  progress: (text: string) => void
  /** These small files are saved as well, by name (the secrets of a local product). */
  attachments?: Readonly<Record<string, Buffer>>
}

/**
 * Saves the four databases as they were at one moment, then the media bucket, all encrypted, and deletes expired
 * backups. When the backup fails, only backups older than `maxKeepDays` are deleted, even the last one. Objects are
 * saved after the databases, so that the objects of all saved messages already exist.
 */
export async function makeBackup(options: BackupOptions): Promise<{ path: string; manifest: Manifest }> {
  const { folder, clock, key, progress } = options
  const createdAt = clock.now()
  const name = backupName(createdAt)
  const removeExpired = async (expiry: Omit<Expiry, 'now'>) => {
    for (const expired of await deleteExpired(folder, { now: clock.now(), ...expiry }))
      progress(`Deleted ${expired}, which had expired.`)
  }
  let manifest
  try {
    manifest = await writeComplete(folder, name, async (part) => {
      const task = { folder: part, key, progress }
      const saved = await saveAll(options, task)
      const complete = { ...headOf(options), name, createdAt: createdAt.toISOString(), ...saved }
      await writeManifest(task, complete)
      return complete
    })
  } catch (error) {
    // A deleted account must be gone from the backups in time, even if no new backup succeeds.
    await removeExpired({ days: maxKeepDays })
    throw error
  }
  await removeExpired({ days: options.keepDays, lastGood: { name, createdAt } })
  const path = join(folder, name)
  progress(`The backup is complete: ${path}`)
  return { path, manifest }
}

async function saveAll(
  options: BackupOptions,
  task: BackupTask,
): Promise<Pick<Manifest, 'databases' | 'bucket' | 'attachments'>> {
  const databases = await saveDatabases(options, task)
  const bucket = options.bucket && openBucket(options.bucket)
  if (!bucket) task.progress('No media bucket is configured, so no media are saved.')
  const media = bucket && (await saveObjects(bucket, task).finally(bucket.close))
  const attachments = []
  for (const [name, content] of Object.entries(options.attachments ?? {})) {
    const { stored } = await writeFileInto(task, `attached-${name}.enc`, [content])
    attachments.push({ name, ...stored })
  }
  return { databases, bucket: media, attachments }
}

const saveDatabases = (
  { databaseUrls, folder }: BackupOptions,
  task: BackupTask,
): Promise<Manifest['databases']> =>
  withDatabases(databaseUrls, 'sumlock-backup', async (databases) => {
    const found = []
    for (const database of databases) {
      await requireWhole(database)
      found.push({ database, collections: await ownCollections(database) })
    }
    const moments = await presentMoments(databases)
    const saved = []
    for (const { database, collections } of found)
      saved.push(await saveDatabase(database, collections, moments[database.owner], task))
    await keepPurgedIds(folder, databases)
    return saved
  })

/** Writes the given collections of a database as they were at one moment. */
export async function saveDatabase(
  { owner, db }: OwnedDatabase,
  found: readonly FoundCollection[],
  at: Timestamp,
  task: BackupTask,
): Promise<SavedDatabase> {
  const collections: SavedCollection[] = []
  for (const { name, options } of found) {
    const indexes = await indexesOf(db, name)
    const file = `${owner}.${name}.bson.gz.enc`
    const { stored, chunks } = await writeFileInto(task, file, readCollection(db, name, at))
    const optionsText = mongoose.mongo.BSON.EJSON.stringify(options, { relaxed: false })
    collections.push({ name, ...stored, count: chunks, options: optionsText, indexes })
    task.progress(`${owner}.${name}: ${chunks} documents`)
  }
  const migrations = await db
    .collection<{ _id: string }>('_migrations')
    .find({ appliedAt: { $exists: true } })
    .sort({ _id: 1 })
    .toArray()
  return {
    owner,
    clusterTime: `${at.getHighBitsUnsigned()}.${at.getLowBitsUnsigned()}`,
    migrations: migrations.map(({ _id }) => _id),
    collections,
  }
}

function headOf(options: BackupSettings) {
  const packageFile = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')
  const { version } = JSON.parse(packageFile) as { version: string }
  const keyId = keyIdOf(options.key)
  return { product: 'sumlock', format: 1, version, keyId, peppers: peppersOf(options) } as const
}

/** Returns a fingerprint of the peppers of PINs and codes; null when they are not set. */
export const peppersOf = ({ peppers, key }: Pick<BackupSettings, 'peppers' | 'key'>): string | null =>
  peppers.length === 0
    ? null
    : mac(key, `peppers ${createHash('sha256').update(JSON.stringify(peppers)).digest('hex')}`)
