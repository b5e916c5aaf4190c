import { join } from 'node:path'
import { measure, readFileFrom } from './backup-file.ts'
import type { BackupTask } from './backup-file.ts'
import { chooseBackup } from './backup-folder.ts'
import { openBucket } from './bucket.ts'
import type { Bucket } from './bucket.ts'
import type { BackupSettings } from './config.ts'
import { ownCollections, requireUnused, restoreAppName, swapMarker, withDatabases } from './database.ts'
import type { OwnedDatabase } from './database.ts'
import { endSignIns } from './end-sign-ins.ts'
import { DamagedBackupError, CommandRefusedError } from './errors.ts'
import { peppersOf } from './make-backup.ts'
import { readManifest } from './manifest.ts'
import type { Manifest, SavedDatabase } from './manifest.ts'
import { removeOtherObjects, writeObjects } from './media.ts'
import { applyPurgedIds, keepPurgedIds } from './purged-ids.ts'
import { markSwap, republishEvents, requireEqual, stageDatabase, swapDatabase } from './restore-database.ts'

export interface RestoreOptions extends BackupSettings {
  progress: (text: string) => void
  /** Name of the backup; the newest when absent. */
  name?: string | undefined
  /** Overwrite existing data. */
  replace?: boolean
  /** Restore the databases of a backup with media where no bucket is configured. */
  withoutMedia?: boolean
  /** Publish the events of this many hours before the backup again. */
  republishHours?: number
}

type Pair = readonly [OwnedDatabase, SavedDatabase]

/**
 * Replaces the present data by a backup. First verifies every byte of it, then writes it next to the present data and
 * compares; until then nothing has changed. A crash in the swap at the end leaves a mark in the databases, and another
 * run with `replace` finishes it.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { progress, republishHours = 0 } = options
  const { name } = await chooseBackup(options.folder, options.name)
  const task = { folder: join(options.folder, name), key: options.key, progress }
  progress(`Verifying ${name} …`)
  const manifest = await verifyBackup(name, task)
  requireSamePeppers(manifest, options)
  const objects = manifest.bucket?.objects
  if (objects && objects.length > 0 && !options.bucket && !options.withoutMedia)
    throw new CommandRefusedError(
      `The backup holds ${objects.length} media objects and no media bucket is configured. Give the S3 settings, or leave the objects out: --without-media`,
    )
  const bucket = options.bucket && objects ? openBucket(options.bucket) : null
  try {
    await withDatabases(options.databaseUrls, restoreAppName, async (databases) => {
      await requireUnused(databases)
      if (!options.replace) await requireEmpty(databases, bucket)
      const savedOf = ({ owner }: OwnedDatabase) => manifest.databases.find((saved) => saved.owner === owner)
      const pairs = databases.map((database): Pair => [database, savedOf(database) as SavedDatabase])
      // The ids in the data that is about to be replaced count, too.
      await keepPurgedIds(options.folder, databases)
      await replaceAll(pairs, bucket, manifest, task)
      progress(
        `Everybody has to sign in again. Account passwords and numbers are those of ${manifest.createdAt}; whoever has changed one since uses the one before.`,
      )
      const purged = await applyPurgedIds(options.folder, databases)
      if (purged > 0)
        progress(`${purged} accounts were deleted for good: they are erased again after the start`)
      for (const [database, saved] of republishHours > 0 ? pairs : []) {
        const count = await republishEvents(database, saved, republishHours)
        progress(`${saved.owner}: ${count} events will be published again`)
      }
    })
  } finally {
    bucket?.close()
  }
  return manifest
}

/** Reads the whole backup and throws unless it is unchanged. */
async function verifyBackup(name: string, task: BackupTask): Promise<Manifest> {
  const manifest = await readManifest(task)
  if (manifest.name !== name)
    throw new DamagedBackupError(`${task.folder} says it is ${manifest.name}: it was renamed or exchanged`)
  const collections = manifest.databases.flatMap((database) => database.collections)
  const objects = manifest.bucket?.objects ?? []
  for (const stored of [...collections, ...objects, ...manifest.attachments])
    await measure(readFileFrom(task, stored))
  return manifest
}

async function replaceAll(
  pairs: readonly Pair[],
  bucket: Bucket | null,
  { name, bucket: media }: Manifest,
  task: BackupTask,
): Promise<void> {
  for (const [database, saved] of pairs) await stageDatabase(database, saved, task)
  // Objects are restored before the swap, so that no restored message points to a missing one.
  if (bucket && media) await writeObjects(bucket, media.objects, task)
  for (const [database] of pairs) await markSwap(database, name)
  for (const [database, saved] of pairs) await swapDatabase(database, saved)
  for (const [{ db }, { collections }] of pairs)
    for (const saved of collections) await requireEqual(db, saved.name, saved)
  await endSignIns(pairs.map(([database]) => database))
  for (const [{ db }] of pairs) await db.dropCollection(swapMarker)
  if (bucket && media) await removeOtherObjects(bucket, media.objects)
  task.progress('All collections are restored and equal what was saved.')
}

/** Throws when the restore would overwrite data. */
async function requireEmpty(databases: readonly OwnedDatabase[], bucket: Bucket | null): Promise<void> {
  const full: string[] = []
  for (const database of databases)
    for (const { name } of await ownCollections(database))
      if ((await database.db.collection(name).findOne({}, { projection: { _id: 1 } })) !== null)
        full.push(`${database.owner}.${name}`)
  if (bucket && !(await bucket.keys().next()).done) full.push('the media bucket')
  if (full.length > 0)
    throw new CommandRefusedError(
      `There is already data in ${full.join(', ')}. To delete it and restore the backup in its place: --replace`,
    )
}

function requireSamePeppers(manifest: Manifest, settings: BackupSettings): void {
  const own = peppersOf(settings)
  if (own !== null && manifest.peppers !== null && own !== manifest.peppers)
    throw new CommandRefusedError(
      'PIN_PEPPER or CODE_PEPPER differ from those of this backup, so that no PIN would be accepted. Put the old ones back first (locally: secrets.json).',
    )
}
