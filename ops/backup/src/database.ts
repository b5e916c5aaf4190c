import mongoose from 'mongoose'
import { RefusedError } from './errors.ts'
import type { DatabaseOwner } from './manifest.ts'

type MongoClient = mongoose.mongo.MongoClient
export type Db = mongoose.mongo.Db
export type Timestamp = mongoose.mongo.Timestamp

/** Collections of an unfinished restore. */
export const stagingPrefix = '_restoring_'
/** While it exists, the database is partly old and partly restored. */
export const swapMarker = '_restore_under_way'

export interface OwnedDatabase {
  owner: DatabaseOwner
  client: MongoClient
  db: Db
}

/** Connects to every database, and disconnects after `use`. */
export async function withDatabases<T>(
  urls: Readonly<Record<DatabaseOwner, string>>,
  appName: string,
  use: (databases: OwnedDatabase[]) => Promise<T>,
): Promise<T> {
  const databases = Object.entries(urls).map(([owner, url]): OwnedDatabase => {
    const client = new mongoose.mongo.MongoClient(url, {
      appName,
      serverSelectionTimeoutMS: 10_000,
      maxPoolSize: 4,
      w: 'majority',
      journal: true,
    })
    return { owner: owner as DatabaseOwner, client, db: client.db() }
  })
  try {
    for (const { owner, client } of databases)
      await client.connect().catch((error: Error) => {
        throw new RefusedError(`The database of ${owner} does not answer: ${error.message}`, { cause: error })
      })
    return await use(databases)
  } finally {
    await Promise.all(databases.map(({ client }) => client.close()))
  }
}

export interface FoundCollection {
  name: string
  options: Record<string, unknown>
}

/** The product's own collections, sorted by name. */
export async function ownCollections({ db, owner }: OwnedDatabase): Promise<FoundCollection[]> {
  const found = await db.listCollections<FoundCollection & { type: string }>().toArray()
  const own = found
    .filter(({ name }) => !name.startsWith('system.') && !isOfRestore(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const odd = own.find(({ type }) => type !== 'collection')
  if (odd) throw new RefusedError(`${owner}.${odd.name} is a ${odd.type}; only collections can be saved.`)
  return own.map(({ name, options }) => ({ name, options }))
}

export const isOfRestore = (name: string): boolean => name === swapMarker || name.startsWith(stagingPrefix)

/** Throws when an earlier restore left the database between two states. */
export async function requireWhole({ db, owner }: OwnedDatabase): Promise<void> {
  const marker = await db.collection(swapMarker).findOne()
  if (marker)
    throw new RefusedError(
      `The database of ${owner} is half restored (from ${String(marker['from'])}). To finish that, restore ${String(marker['from'])} again, with --replace (docs/backup.md)`,
    )
}

/** The indexes of a collection, sorted by name, as canonical extended JSON. */
export async function indexesOf(db: Db, collection: string): Promise<string> {
  const cursor = db.collection(collection).listIndexes({ promoteValues: false })
  const byName = ((await cursor.toArray()) as { name: unknown }[]).sort((a, b) =>
    String(a.name) < String(b.name) ? -1 : 1,
  )
  return mongoose.mongo.BSON.EJSON.stringify(byName, { relaxed: false })
}
