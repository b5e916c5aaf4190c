import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { openBucket } from '@sumlock/backup/bucket'
import type { Bucket } from '@sumlock/backup/bucket'
import { withDatabases } from '@sumlock/backup/database'
import { readSettings } from '@sumlock/backup/settings'
import { step } from '@sumlock/dev/processes/progress'
import type { Progress } from '@sumlock/dev/processes/progress'
import type { Images } from './build-images.ts'
import { removeVolume, runContainer } from './containers.ts'

const volume = 'sumlock-try-backups'
const object = 'media/photo'
const head = { contentType: 'image/jpeg', cacheControl: null, contentDisposition: null, metadata: {} }

export interface BackupTrial {
  images: Images
  /** The four databases, as the image reads them. */
  databaseUrls: Readonly<Record<string, string>>
  backupKey: string
  store: { endpoint: string; accessKeyId: string; secretAccessKey: string }
  /** Ends with nobody connected to the databases any more. */
  stopServices(): Promise<void>
  progress: Progress
}

/** With the image of the backup: saves databases and bucket, loses both, and brings them back. */
export async function tryBackup(trial: BackupTrial): Promise<void> {
  const { images, store, stopServices, progress } = trial
  const environment = {
    ...{ BACKUP_FOLDER: '/backups', BACKUP_KEY: trial.backupKey, S3_BUCKET: 'media' },
    ...{ S3_ENDPOINT: store.endpoint, S3_ACCESS_KEY_ID: store.accessKeyId },
    ...{ S3_SECRET_ACCESS_KEY: store.secretAccessKey, ...trial.databaseUrls },
  }
  const command = (file: string) =>
    runContainer({
      ...{ name: 'sumlock-try-backup', image: images.of('backup'), environment },
      ...{ volumes: [`${volume}:/backups`], command: [`src/commands/${file}`] },
    })
  const { databaseUrls, bucket: settings } = readSettings(environment, '')
  if (!settings) throw new Error('The settings of the backup name no bucket.')
  const bucket = openBucket(settings)
  const photo = randomBytes(300_000)
  try {
    await step(progress, 'Making the bucket with the image of the jobs', () => makeBucket(trial))
    await bucket.write(object, head, photo.length, Readable.from([photo]))
    await step(progress, 'Saving everything with the backup image', () => command('backup.ts'))
    await step(progress, 'Stopping the six services', stopServices)
    await withDatabases(databaseUrls, 'try-images', async (databases) => {
      for (const { db } of databases) await db.dropDatabase()
    })
    await bucket.remove(object)
    await step(progress, 'Restoring everything with the backup image', () => command('restore.ts'))
    await checkPhoto(bucket, photo)
  } finally {
    bucket.close()
    await removeVolume(volume)
  }
}

const makeBucket = ({ images, store }: BackupTrial) =>
  runContainer({
    ...{ name: 'sumlock-try-bucket', image: images.of('jobs'), command: ['src/commands/create-bucket.ts'] },
    environment: {
      ...{ S3_URL: store.endpoint, S3_BUCKET: 'media' },
      ...{ ROOT_ACCESS_KEY: store.accessKeyId, ROOT_SECRET_KEY: store.secretAccessKey },
    },
  })

async function checkPhoto(bucket: Bucket, photo: Buffer): Promise<void> {
  const restored = await bucket.read(object)
  if (!restored || !photo.equals(await buffer(restored.body)))
    throw new Error('The object in the bucket is not the one that was saved.')
  if (restored.head.contentType !== head.contentType)
    throw new Error(`The object came back as ${restored.head.contentType}.`)
}
