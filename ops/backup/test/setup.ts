import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@sumlock/service-kit/clock'
import type { S3Settings } from '@sumlock/service-kit/s3-settings'
import { withDatabases } from '../src/database.ts'
import type { OwnedDatabase } from '../src/database.ts'
import type { BackupOptions } from '../src/make-backup.ts'
import type { DatabaseOwner } from '../src/manifest.ts'

export const clock = systemClock()

/** Options of a backup into a new folder, with a new key. */
export async function backupOptions(
  databaseUrls: Record<DatabaseOwner, string>,
  bucket: S3Settings | null = null,
): Promise<BackupOptions> {
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-backups-'))
  const key = randomBytes(32)
  return {
    folder,
    key,
    databaseUrls,
    bucket,
    clock,
    peppers: [],
    keepDays: 90,
    progress: () => undefined,
  }
}

export const onDatabases = (
  { databaseUrls }: Pick<BackupOptions, 'databaseUrls'>,
  use: (database: OwnedDatabase) => Promise<void>,
): Promise<void> =>
  withDatabases(databaseUrls, 'test', async (databases) => {
    for (const database of databases) await use(database)
  })
