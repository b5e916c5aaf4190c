import { Readable } from 'node:stream'
import { measure, readFileFrom, writeFileInto } from './backup-file.ts'
import type { BackupTask } from './backup-file.ts'
import type { Bucket } from './bucket.ts'
import { DamagedBackupError } from './errors.ts'
import type { Manifest, SavedObject } from './manifest.ts'

const reportEvery = 1000

/** Saves all objects. One that is deleted during the backup is counted as vanished. */
export async function saveObjects(
  bucket: Bucket,
  task: BackupTask,
): Promise<NonNullable<Manifest['bucket']>> {
  const objects: SavedObject[] = []
  let vanished = 0
  for await (const key of bucket.keys()) {
    const found = await bucket.read(key)
    if (!found) {
      vanished += 1
      continue
    }
    const file = `object-${String(objects.length + 1).padStart(8, '0')}.enc`
    const { stored } = await writeFileInto(task, file, found.body as AsyncIterable<Buffer>)
    objects.push({ key, ...stored, ...found.head })
    if (objects.length % reportEvery === 0) task.progress(`media: ${objects.length} objects so far`)
  }
  task.progress(`media: ${objects.length} objects; ${vanished} were deleted during the backup`)
  return { objects, vanished }
}

/**
 * Writes the saved objects to the bucket, reads each one back and compares it. Throws a DamagedBackupError for a
 * difference.
 */
export async function writeObjects(
  bucket: Bucket,
  objects: readonly SavedObject[],
  task: BackupTask,
): Promise<void> {
  for (const saved of objects) {
    const body = Readable.from(readFileFrom(task, saved), { objectMode: false })
    await bucket.write(saved.key, saved, saved.bytes, body)
    const found = await bucket.read(saved.key)
    const { bytes, sha256 } = await measure(found ? (found.body as AsyncIterable<Buffer>) : [])
    if (!found || bytes !== saved.bytes || sha256 !== saved.sha256)
      throw new DamagedBackupError(`${saved.key} differs in the media bucket from what was saved`)
  }
  task.progress(`media: ${objects.length} objects are written and compared`)
}

/** Removes all objects that are not in the backup. */
export async function removeOtherObjects(bucket: Bucket, objects: readonly SavedObject[]): Promise<void> {
  const saved = new Set(objects.map(({ key }) => key))
  const others: string[] = []
  for await (const key of bucket.keys()) if (!saved.has(key)) others.push(key)
  for (const key of others) await bucket.remove(key)
}
