import { Readable } from 'node:stream'
import { readFileFrom } from './backup-file.ts'
import { hashObject } from './bucket.ts'
import type { Bucket } from './bucket.ts'
import { DamagedBackupError } from './errors.ts'
import type { SavedObject } from './manifest.ts'
import type { RestoreSource } from './restore-database.ts'

/** Writes the saved objects to the bucket, reads each back and compares it. */
export async function writeObjects(
  bucket: Bucket,
  objects: readonly SavedObject[],
  { path, key, progress }: RestoreSource,
): Promise<void> {
  for (const saved of objects) {
    await readFileFrom(path, saved, key, (plain) =>
      bucket.write(saved.key, saved, saved.bytes, Readable.from(plain, { objectMode: false })),
    )
    const found = await bucket.read(saved.key)
    const { bytes, sha256 } = found ? await hashObject(found.body) : { bytes: -1, sha256: '' }
    if (bytes !== saved.bytes || sha256 !== saved.sha256)
      throw new DamagedBackupError(`${saved.key} differs in the media bucket from what was saved`)
  }
  progress(`media: ${objects.length} objects are written and compared`)
}

/** Removes objects that are not in the backup. */
export async function removeOtherObjects(bucket: Bucket, objects: readonly SavedObject[]): Promise<void> {
  const wanted = new Set(objects.map(({ key }) => key))
  const others: string[] = []
  for await (const key of bucket.keys()) if (!wanted.has(key)) others.push(key)
  for (const key of others) await bucket.remove(key)
}
