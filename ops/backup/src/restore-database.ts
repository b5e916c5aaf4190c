import mongoose from 'mongoose'
import { measure, readFileFrom } from './backup-file.ts'
import type { BackupTask } from './backup-file.ts'
import { indexesOf, readCollection, readExactly, splitDocuments } from './collection.ts'
import { ownCollections, stagingPrefix, swapMarker } from './database.ts'
import type { Db, OwnedDatabase } from './database.ts'
import { DamagedBackupError } from './errors.ts'
import type { SavedCollection, SavedDatabase } from './manifest.ts'

const batchBytes = 1024 * 1024

/** Writes the saved collections next to the present ones, with their indexes, and compares them with the backup. */
export async function stageDatabase(
  { db, owner }: OwnedDatabase,
  { collections }: SavedDatabase,
  task: BackupTask,
): Promise<void> {
  const present = await db.listCollections({}, { nameOnly: true }).toArray()
  for (const { name } of present) if (name.startsWith(stagingPrefix)) await db.dropCollection(name)
  for (const saved of collections) {
    const staging = stagingPrefix + saved.name
    await db.command({ create: staging, ...parse<object>(saved.options) })
    await fill(db, staging, readFileFrom(task, saved))
    const indexes = parse<{ name: string }[]>(saved.indexes).filter(({ name }) => name !== '_id_')
    if (indexes.length > 0) await db.command({ createIndexes: staging, indexes })
    await requireEqual(db, staging, saved)
    task.progress(`${owner}.${saved.name}: ${saved.count} documents are written and compared`)
  }
}

async function fill(db: Db, collection: string, plain: AsyncIterable<Buffer>): Promise<void> {
  let batch: Record<string, unknown>[] = []
  let bytes = 0
  for await (const raw of splitDocuments(plain)) {
    batch.push(readExactly(raw))
    bytes += raw.length
    if (bytes < batchBytes) continue
    await db.collection(collection).insertMany(batch)
    batch = []
    bytes = 0
  }
  if (batch.length > 0) await db.collection(collection).insertMany(batch)
}

/** Throws unless a collection has exactly the saved documents and indexes. */
export async function requireEqual(db: Db, collection: string, saved: SavedCollection): Promise<void> {
  const { chunks, sha256 } = await measure(readCollection(db, collection))
  const where = `${db.databaseName}.${collection}`
  if (chunks !== saved.count || sha256 !== saved.sha256)
    throw new DamagedBackupError(
      `${where} differs from what was saved (${chunks} of ${saved.count} documents)`,
    )
  if ((await indexesOf(db, collection)) !== saved.indexes)
    throw new DamagedBackupError(`${where} has other indexes than were saved`)
}

/** Marks the database as partly restored, until the swap of all databases has ended. */
export async function markSwap({ db }: OwnedDatabase, from: string): Promise<void> {
  const marker = db.collection<{ _id: string }>(swapMarker)
  await marker.updateOne({ _id: 'restore' }, { $set: { from } }, { upsert: true })
}

/**
 * Replaces each present collection by its staged one in an atomic step, and drops collections that are not in the
 * backup.
 */
export async function swapDatabase(database: OwnedDatabase, { collections }: SavedDatabase): Promise<void> {
  const { db } = database
  const wanted = new Set(collections.map(({ name }) => name))
  for (const name of wanted) await db.collection(stagingPrefix + name).rename(name, { dropTarget: true })
  for (const { name } of await ownCollections(database)) if (!wanted.has(name)) await db.dropCollection(name)
}

/**
 * Marks the events that were published within `hours` before the backup as unpublished. A consumer whose database was
 * restored may have lost their effect. All other consumers ignore an event that they have already handled.
 */
export async function republishEvents(
  { db }: OwnedDatabase,
  { clusterTime }: SavedDatabase,
  hours: number,
): Promise<number> {
  const from = new Date(Number(clusterTime.split('.')[0]) * 1000 - hours * 3_600_000)
  const { modifiedCount } = await db
    .collection('outbox')
    .updateMany({ publishedAt: { $gte: from } }, { $set: { pending: true }, $unset: { publishedAt: '' } })
  return modifiedCount
}

const parse = <T>(text: string): T => mongoose.mongo.BSON.EJSON.parse(text, { relaxed: false }) as T
