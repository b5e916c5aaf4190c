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
  /** The backup with this name is restored; the newest when absent. */
  name?: string | undefined
  /** When true, existing data is overwritten. */
  replace?: boolean
  /** When true, media in the backup are left out where no bucket is configured. */
  withoutMedia?: boolean
  /** Events of this many hours before the backup are published a second time. */
  republishHours?: number
}

type Pair = readonly [OwnedDatabase, SavedDatabase]

/**
 * Replaces the present data by a backup. It verifies every byte of the backup, writes it next to the present data and
 * compares it; until then the present data is unchanged. A crash during the swap that follows leaves a mark in the
 * databases, and another run with `replace` finishes the restore.
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
      // The ids of purged accounts in the present data must be kept before it is replaced.
      await keepPurgedIds(options.folder, databases)
      await replaceAll(pairs, bucket, manifest, task)
      progress(
        `Everybody has to sign in again. Account passwords and numbers are those of ${manifest.createdAt}: people who changed one later have to use the old one.`,
      )
      const purged = await applyPurgedIds(options.folder, databases)
      if (purged > 0)
        progress(`${purged} accounts were erased before: the services erase them again after their start`)
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

/** Reads the whole backup. Throws unless it is complete and unchanged. */
async function verifyBackup(name: string, task: BackupTask): Promise<Manifest> {
  const manifest = await readManifest(task)
  if (manifest.name !== name)
    throw new DamagedBackupError(
      `the manifest of ${task.folder} names the backup ${manifest.name}: the folder was renamed or exchanged`,
    )
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

/** Throws when a database or the bucket contains data, which the restore would overwrite. */
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
