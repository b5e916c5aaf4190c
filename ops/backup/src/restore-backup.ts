import { join } from 'node:path'
import { chooseBackup } from './backup-folder.ts'
import { openBucket } from './bucket.ts'
import type { Bucket } from './bucket.ts'
import { withDatabases } from './database.ts'
import type { OwnedDatabase } from './database.ts'
import { RefusedError } from './errors.ts'
import { peppersOf } from './make-backup.ts'
import type { Manifest, SavedDatabase } from './manifest.ts'
import { removeOtherObjects, writeObjects } from './restore-bucket.ts'
import { markSwap, requireEqual, stageDatabase, swapDatabase, unmarkSwap } from './restore-database.ts'
import type { RestoreSource } from './restore-database.ts'
import { requireEmpty, requireUnused, restoreAppName } from './restore-targets.ts'
import { republishEvents } from './republish-events.ts'
import type { BackupSettings } from './settings.ts'
import { verifyBackup } from './verify-backup.ts'

export interface RestoreOptions extends BackupSettings {
  progress: (text: string) => void
  /** The newest when absent. */
  name?: string | undefined
  /** Overwrite existing data. */
  replace?: boolean
  /** Restore the databases of a backup with media where no bucket is configured. */
  withoutMedia?: boolean
  /** Publish the events of this many hours before the backup again. */
  republishHours?: number
}

/**
 * Replaces the present data by a backup. First verifies every byte of it, then writes it beside the present data and
 * compares; until then nothing has changed. A crash in the swap at the end leaves a mark in the databases, and another
 * run with `replace` finishes it.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { folder, key, progress, databaseUrls } = options
  const { name } = await chooseBackup(folder, options.name)
  progress(`Verifying ${name} …`)
  const manifest = await verifyBackup(folder, name, key)
  requireSamePeppers(manifest, options)
  const objects = manifest.bucket?.objects
  if (objects && objects.length > 0 && !options.bucket && !options.withoutMedia)
    throw new RefusedError(
      `The backup holds ${objects.length} media objects and no media bucket is configured. Give the S3 settings, or leave the objects out: --without-media`,
    )
  const bucket = options.bucket && objects ? openBucket(options.bucket) : null
  const source = { path: join(folder, name), key, progress }
  try {
    await withDatabases(databaseUrls, restoreAppName, async (databases) => {
      await requireUnused(databases)
      if (!options.replace) await requireEmpty(databases, bucket)
      await replaceAll(pairsOf(databases, manifest), bucket, manifest, source)
      for (const [database, saved] of pairsOf(databases, manifest)) {
        const count = options.republishHours
          ? await republishEvents(database, saved, options.republishHours)
          : 0
        if (count > 0) progress(`${saved.owner}: ${count} events will be published again`)
      }
    })
  } finally {
    bucket?.close()
  }
  return manifest
}

type Pair = readonly [OwnedDatabase, SavedDatabase]

async function replaceAll(
  pairs: readonly Pair[],
  bucket: Bucket | null,
  { name, bucket: media }: Manifest,
  source: RestoreSource,
): Promise<void> {
  for (const [database, saved] of pairs) await stageDatabase(database, saved, source)
  // Objects before the swap, so that no restored message points to a missing one.
  if (bucket && media) await writeObjects(bucket, media.objects, source)
  for (const [database] of pairs) await markSwap(database, name)
  for (const [database, saved] of pairs) await swapDatabase(database, saved)
  for (const [{ db }, { collections }] of pairs)
    for (const saved of collections) await requireEqual(db, saved.name, saved)
  for (const [database] of pairs) await unmarkSwap(database)
  if (bucket && media) await removeOtherObjects(bucket, media.objects)
  source.progress('All collections are restored and equal what was saved.')
}

const pairsOf = (databases: readonly OwnedDatabase[], manifest: Manifest): Pair[] =>
  manifest.databases.map((saved) => {
    const database = databases.find(({ owner }) => owner === saved.owner)
    if (!database) throw new RefusedError(`The settings name no database for ${saved.owner}.`)
    return [database, saved]
  })

function requireSamePeppers(manifest: Manifest, settings: BackupSettings): void {
  const own = peppersOf(settings)
  if (own !== null && manifest.peppers !== null && own !== manifest.peppers)
    throw new RefusedError(
      'PIN_PEPPER or CODE_PEPPER differ from those of this backup, so that no PIN would be accepted. Put the old ones back first (locally: secrets.json).',
    )
}
