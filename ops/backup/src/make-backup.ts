import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Clock } from '@sumlock/service-kit/clock'
import { backupName, deleteBackup, listBackups, removeOldParts, writeComplete } from './backup-folder.ts'
import { writeFileInto } from './backup-file.ts'
import { openBucket } from './bucket.ts'
import { keyIdOf, mac } from './cipher.ts'
import { ownCollections, requireWhole, withDatabases } from './database.ts'
import { writeManifest } from './manifest.ts'
import type { Manifest } from './manifest.ts'
import { presentMoments } from './moment.ts'
import { expiredBackups, keepDays } from './retention.ts'
import type { DatedBackup } from './retention.ts'
import { saveBucket } from './save-bucket.ts'
import { saveDatabase } from './save-database.ts'
import type { BackupSettings } from './settings.ts'

export interface BackupOptions extends BackupSettings {
  clock: Clock
  progress: (text: string) => void
  /** Small files to save as well, by name (the secrets of a local product). */
  attachments?: Readonly<Record<string, Buffer>>
}

export interface BackupResult {
  path: string
  manifest: Manifest
  /** Older backups that were deleted because they had expired. */
  deleted: DatedBackup[]
}

/**
 * Saves the four databases as of one moment and then the media bucket, encrypted, and deletes expired backups. Objects
 * are saved after the databases, so that every object a saved message points to exists by then.
 */
export async function makeBackup(options: BackupOptions): Promise<BackupResult> {
  const { folder, clock, key, progress, version } = options
  const createdAt = clock.now()
  const name = backupName(createdAt)
  const path = join(folder, name)
  let manifest: Manifest | undefined
  await writeComplete(folder, name, async (part) => {
    const save = { folder: part, key, progress }
    const databases = await saveDatabases(options, save)
    const bucket = options.bucket ? openBucket(options.bucket) : null
    if (!bucket) progress('No media bucket is configured, so no media are saved.')
    const media = bucket && (await saveBucket(bucket, save).finally(() => bucket.close()))
    const attachments = []
    for (const [title, content] of Object.entries(options.attachments ?? {}))
      attachments.push({
        name: title,
        ...(await writeFileInto(part, `attached-${title}.enc`, [content], key)),
      })
    manifest = {
      product: 'sumlock',
      format: 1,
      name,
      createdAt: createdAt.toISOString(),
      version,
      keyId: keyIdOf(key),
      peppers: peppersOf(options),
      databases,
      bucket: media,
      attachments,
    }
    await writeManifest(part, manifest, key)
  })
  const backups = await listBackups(folder)
  const deleted = expiredBackups(backups, {
    now: clock.now(),
    lastGood: { name, createdAt },
    days: options.keepDays ?? keepDays,
  })
  for (const old of deleted) await deleteBackup(folder, old)
  await removeOldParts(folder, clock.now())
  return { path, manifest: manifest as unknown as Manifest, deleted }
}

const saveDatabases = (
  { databaseUrls }: BackupOptions,
  save: Parameters<typeof saveDatabase>[3],
): Promise<Manifest['databases']> =>
  withDatabases(databaseUrls, 'sumlock-backup', async (databases) => {
    const collections = []
    for (const database of databases) {
      await requireWhole(database)
      collections.push(await ownCollections(database))
    }
    const moments = await presentMoments(databases)
    const saved = []
    for (const [index, database] of databases.entries())
      saved.push(await saveDatabase(database, collections[index] ?? [], moments[index] as never, save))
    return saved
  })

/** Fingerprint of the peppers of PINs and codes; null when they are unknown here. */
export const peppersOf = ({ peppers, key }: Pick<BackupSettings, 'peppers' | 'key'>): string | null =>
  peppers.length === 0
    ? null
    : mac(key, `peppers ${createHash('sha256').update(JSON.stringify(peppers)).digest('hex')}`)
