import mongoose from 'mongoose'
import { writeFileInto } from './backup-file.ts'
import type { BackupTask } from './backup-file.ts'
import { indexesOf, readCollection } from './collection.ts'
import type { FoundCollection, OwnedDatabase, Timestamp } from './database.ts'
import type { SavedCollection, SavedDatabase } from './manifest.ts'

const { EJSON } = mongoose.mongo.BSON

/** Writes the given collections of a database as they were at one moment. */
export async function saveDatabase(
  { owner, db }: OwnedDatabase,
  found: readonly FoundCollection[],
  at: Timestamp,
  task: BackupTask,
): Promise<SavedDatabase> {
  const collections: SavedCollection[] = []
  for (const { name, options } of found) {
    const indexes = await indexesOf(db, name)
    const file = `${owner}.${name}.bson.gz.enc`
    const { stored, chunks } = await writeFileInto(task, file, readCollection(db, name, at))
    const optionsText = EJSON.stringify(options, { relaxed: false })
    collections.push({ name, ...stored, count: chunks, options: optionsText, indexes })
    task.progress(`${owner}.${name}: ${chunks} documents`)
  }
  const migrations = await db
    .collection<{ _id: string }>('_migrations')
    .find({ appliedAt: { $exists: true } })
    .sort({ _id: 1 })
    .toArray()
  return {
    owner,
    clusterTime: `${at.getHighBitsUnsigned()}.${at.getLowBitsUnsigned()}`,
    migrations: migrations.map(({ _id }) => _id),
    collections,
  }
}
