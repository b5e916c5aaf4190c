import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@sumlock/service-kit/clock'
import { freePorts } from '@sumlock/dev/processes/ports'
import { silent } from '@sumlock/dev/processes/progress'
import { openBucket } from '../src/bucket.ts'
import type { Bucket, BucketSettings } from '../src/bucket.ts'
import { withDatabases } from '../src/database.ts'
import type { OwnedDatabase } from '../src/database.ts'
import type { BackupOptions } from '../src/make-backup.ts'
import type { DatabaseOwner } from '../src/manifest.ts'
import { createS3 } from './s3.ts'

export const clock = systemClock()

export interface TestStore {
  settings: BucketSettings
  bucket: Bucket
  stop(): Promise<void>
}

/** A real S3 server with one empty bucket. */
export async function startStore(): Promise<TestStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sumlock-s3-'))
  const [port] = (await freePorts(1)) as [number]
  const credentials = { accessKeyId: 'test', secretAccessKey: randomBytes(16).toString('hex') }
  const server = await createS3({ dataDir, port, ...credentials, progress: silent })
  await server.start()
  const settings = { endpoint: server.endpoint, region: 'us-east-1', bucket: 'media', ...credentials }
  const bucket = openBucket(settings)
  await bucket.create()
  return {
    settings,
    bucket,
    async stop() {
      bucket.close()
      await server.stop()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** Options of a backup into a new folder, with a new key. */
export async function backupOptions(
  databaseUrls: Record<DatabaseOwner, string>,
  bucket: BucketSettings | null = null,
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
