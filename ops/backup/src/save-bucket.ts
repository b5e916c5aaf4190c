import { writeFileInto } from './backup-file.ts'
import type { Bucket } from './bucket.ts'
import type { Manifest, SavedObject } from './manifest.ts'
import type { SaveOptions } from './save-database.ts'

const reportEvery = 1000

/** Saves every object. An object deleted during the backup is counted as vanished. */
export async function saveBucket(
  bucket: Bucket,
  { folder, key, progress }: SaveOptions,
): Promise<NonNullable<Manifest['bucket']>> {
  const objects: SavedObject[] = []
  let vanished = 0
  for await (const name of bucket.keys()) {
    const found = await bucket.read(name)
    if (!found) {
      vanished += 1
      continue
    }
    const file = `object-${String(objects.length + 1).padStart(8, '0')}.enc`
    const written = await writeFileInto(folder, file, found.body as AsyncIterable<Buffer>, key)
    objects.push({ key: name, ...written, ...found.head })
    if (objects.length % reportEvery === 0) progress(`media: ${objects.length} objects so far`)
  }
  progress(`media: ${objects.length} objects`)
  return { objects, vanished }
}
