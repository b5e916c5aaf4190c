import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import mongoose from 'mongoose'
import type { Bucket } from '../src/bucket.ts'
import type { BackupOptions } from '../src/make-backup.ts'
import { onDatabases } from './setup.ts'

/**
 * Count, hash and index definitions of every collection, and length, hash and type of every object, read without the
 * code under test.
 */
export async function fingerprint(
  options: Pick<BackupOptions, 'databaseUrls'>,
  bucket?: Bucket,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  await onDatabases(options, async ({ owner, db }) => {
    for (const { name, options: made } of (await db.listCollections().toArray()) as {
      name: string
      options?: object
    }[]) {
      const hash = createHash('sha256')
      let count = 0
      for await (const document of db.collection(name).find({}, { promoteValues: false }).sort({ _id: 1 })) {
        hash.update(mongoose.mongo.BSON.EJSON.stringify(document, { relaxed: false }))
        count += 1
      }
      const indexes = await db.collection(name).indexes()
      const shape = JSON.stringify([
        made,
        indexes.toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1)),
      ])
      found[`${owner}.${name}`] = `${count} documents, ${hash.digest('hex')}, ${shape}`
    }
  })
  if (bucket)
    for await (const key of bucket.keys()) {
      const object = await bucket.read(key)
      if (!object) continue
      const content = await buffer(object.body)
      const hash = createHash('sha256').update(content).digest('hex')
      found[`object ${key}`] = JSON.stringify([content.length, hash, object.head])
    }
  return found
}
