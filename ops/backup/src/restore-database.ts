import mongoose from 'mongoose'
import { createHash } from 'node:crypto'
import { readFileFrom } from './backup-file.ts'
import { indexesOf, ownCollections, stagingPrefix, swapMarker } from './database.ts'
import type { OwnedDatabase } from './database.ts'
import type { Db } from './database.ts'
import { DamagedBackupError } from './errors.ts'
import type { SavedCollection, SavedDatabase } from './manifest.ts'
import { readCollection, readExactly, splitDocuments } from './read-collection.ts'

const { EJSON } = mongoose.mongo.BSON
const batchBytes = 4 * 1024 * 1024
const batchDocuments = 1000

export interface RestoreSource {
  /** Folder of the backup. */
  path: string
  key: Buffer
  progress: (text: string) => void
}

/** Writes the saved collections beside the present ones, with their indexes, and compares them with the backup. */
export async function stageDatabase(
  { db, owner }: OwnedDatabase,
  { collections }: SavedDatabase,
  { path, key, progress }: RestoreSource,
): Promise<void> {
  await dropStaging(db)
  for (const saved of collections) {
    const staging = stagingPrefix + saved.name
    await db.command({ create: staging, ...parse<object>(saved.options) })
    await readFileFrom(path, saved, key, (plain) => fill(db, staging, plain))
    const indexes = parse<{ name: string }[]>(saved.indexes).filter(({ name }) => name !== '_id_')
    if (indexes.length > 0) await db.command({ createIndexes: staging, indexes })
    await requireEqual(db, staging, saved)
    progress(`${owner}.${saved.name}: ${saved.count} documents are written and compared`)
  }
}

async function fill(db: Db, collection: string, plain: AsyncIterable<Buffer>): Promise<void> {
  let batch: Record<string, unknown>[] = []
  let bytes = 0
  const write = async () => {
    if (batch.length > 0) await db.collection(collection).insertMany(batch)
    batch = []
    bytes = 0
  }
  for await (const raw of splitDocuments(plain)) {
    batch.push(readExactly(raw))
    bytes += raw.length
    if (bytes > batchBytes || batch.length === batchDocuments) await write()
  }
  await write()
}

/** Throws unless a collection has exactly the saved documents and indexes. */
export async function requireEqual(db: Db, collection: string, saved: SavedCollection): Promise<void> {
  const hash = createHash('sha256')
  let count = 0
  for await (const document of readCollection(db, collection)) {
    hash.update(document)
    count += 1
  }
  const where = `${db.databaseName}.${collection}`
  if (count !== saved.count || hash.digest('hex') !== saved.sha256)
    throw new DamagedBackupError(
      `${where} differs from what was saved (${count} of ${saved.count} documents)`,
    )
  if ((await indexesOf(db, collection)) !== saved.indexes)
    throw new DamagedBackupError(`${where} has other indexes than were saved`)
}

/** Marks the database as partly restored. */
export async function markSwap({ db }: OwnedDatabase, from: string): Promise<void> {
  await db
    .collection<{ _id: string }>(swapMarker)
    .updateOne({ _id: 'restore' }, { $set: { from } }, { upsert: true })
}

/** Replaces each present collection by its staged one, atomically, and drops collections that are not in the backup. */
export async function swapDatabase(database: OwnedDatabase, { collections }: SavedDatabase): Promise<void> {
  const { db } = database
  const wanted = new Set(collections.map(({ name }) => name))
  for (const name of wanted) await db.collection(stagingPrefix + name).rename(name, { dropTarget: true })
  for (const { name } of await ownCollections(database)) if (!wanted.has(name)) await db.dropCollection(name)
}

export async function unmarkSwap({ db }: OwnedDatabase): Promise<void> {
  await db.dropCollection(swapMarker)
}

export async function dropStaging(db: Db): Promise<void> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray()
  for (const { name } of found) if (name.startsWith(stagingPrefix)) await db.dropCollection(name)
}

const parse = <T>(text: string): T => EJSON.parse(text, { relaxed: false }) as T
