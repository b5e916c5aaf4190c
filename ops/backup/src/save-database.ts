import mongoose from 'mongoose'
import { writeFileInto } from './backup-file.ts'
import type { FoundCollection, OwnedDatabase } from './database.ts'
import { indexesOf } from './database.ts'
import type { Timestamp } from './database.ts'
import type { SavedCollection, SavedDatabase } from './manifest.ts'
import { clusterTimeText } from './moment.ts'
import { readCollection } from './read-collection.ts'

const { EJSON } = mongoose.mongo.BSON

export interface SaveOptions {
  folder: string
  key: Buffer
  progress: (text: string) => void
}

/** Writes every collection of a database as it was at one moment. */
export async function saveDatabase(
  database: OwnedDatabase,
  collections: readonly FoundCollection[],
  at: Timestamp,
  { folder, key, progress }: SaveOptions,
): Promise<SavedDatabase> {
  const { owner, db } = database
  const saved: SavedCollection[] = []
  for (const { name, options } of collections) {
    const indexes = await indexesOf(db, name)
    let count = 0
    async function* counted() {
      for await (const document of readCollection(db, name, at)) {
        count += 1
        yield document
      }
    }
    const written = await writeFileInto(folder, `${owner}.${name}.bson.gz.enc`, counted(), key)
    saved.push({ name, ...written, count, options: EJSON.stringify(options, { relaxed: false }), indexes })
    progress(`${owner}.${name}: ${count} documents`)
  }
  const migrations = await db
    .collection<{ _id: string }>('_migrations')
    .find({ appliedAt: { $exists: true } })
    .sort({ _id: 1 })
    .toArray()
  return {
    owner,
    clusterTime: clusterTimeText(at),
    migrations: migrations.map(({ _id }) => _id),
    collections: saved,
  }
}
