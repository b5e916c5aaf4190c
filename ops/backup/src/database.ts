import { setTimeout as wait } from 'node:timers/promises'
import mongoose from 'mongoose'
import { CommandRefusedError } from './errors.ts'
import type { DatabaseOwner } from './manifest.ts'

export type Db = mongoose.mongo.Db
export type Timestamp = mongoose.mongo.Timestamp

/** Collections of an unfinished restore have this prefix. */
export const stagingPrefix = '_restoring_'
/** While this collection exists, the database is partly old and partly restored. */
export const swapMarker = '_restore_under_way'

export const restoreAppName = 'sumlock-restore'

export interface OwnedDatabase {
  owner: DatabaseOwner
  db: Db
}

/** Connects to every database, and closes the connections after `use`. */
export async function withDatabases<T>(
  urls: Readonly<Record<DatabaseOwner, string>>,
  appName: string,
  use: (databases: OwnedDatabase[]) => Promise<T>,
): Promise<T> {
  const databases = Object.entries(urls).map(([owner, url]) => {
    const options = { appName, serverSelectionTimeoutMS: 10_000, maxPoolSize: 4 }
    const client = new mongoose.mongo.MongoClient(url, { ...options, w: 'majority', journal: true })
    return { owner: owner as DatabaseOwner, db: client.db() }
  })
  try {
    for (const { owner, db } of databases)
      await db.client.connect().catch((error: Error) => {
        throw new CommandRefusedError(`The database of ${owner} does not answer: ${error.message}`, {
          cause: error,
        })
      })
    return await use(databases)
  } finally {
    await Promise.all(databases.map(({ db }) => db.client.close()))
  }
}

export interface FoundCollection {
  name: string
  options: Record<string, unknown>
}

/** Returns the product's own collections, sorted by name. Throws for a view or another kind that cannot be saved. */
export async function ownCollections({ db, owner }: OwnedDatabase): Promise<FoundCollection[]> {
  const found = await db.listCollections<FoundCollection & { type: string }>().toArray()
  const own = found.filter(
    ({ name }) => name !== swapMarker && !name.startsWith('system.') && !name.startsWith(stagingPrefix),
  )
  const odd = own.find(({ type }) => type !== 'collection')
  if (odd)
    throw new CommandRefusedError(`${owner}.${odd.name} is a ${odd.type}; only collections can be saved.`)
  return own.map(({ name, options }) => ({ name, options })).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Throws when an earlier restore ended in the middle of the swap. */
export async function requireWhole({ db, owner }: OwnedDatabase): Promise<void> {
  const marker = await db.collection<{ from: string }>(swapMarker).findOne()
  if (marker)
    throw new CommandRefusedError(
      `The database of ${owner} is half restored (from ${marker.from}). To finish that, restore ${marker.from} again, with --replace (docs/backup.md)`,
    )
}

/** MongoDB notices only after a moment that a client has gone. */
const goneWithinMs = 3000
const askEveryMs = 100

/**
 * Throws when another client is connected as the database's user, because a running service would write into the
 * restored data.
 */
export async function requireUnused(databases: readonly OwnedDatabase[]): Promise<void> {
  const deadline = performance.now() + goneWithinMs
  for (const { owner, db } of databases) {
    let others = await countOtherClients(db)
    while (others > 0 && performance.now() < deadline) {
      await wait(askEveryMs)
      others = await countOtherClients(db)
    }
    if (others > 0)
      throw new CommandRefusedError(
        `The database of ${owner} is in use (${others} connections). Stop the services first, then restore.`,
      )
  }
}

async function countOtherClients(db: Db): Promise<number> {
  const connections = await db.client
    .db('admin')
    .aggregate<{ appName?: string }>([{ $currentOp: { allUsers: false, idleConnections: true } }])
    .toArray()
  return connections.filter(({ appName }) => appName !== restoreAppName).length
}

/**
 * Returns one cluster time for all databases of the same replica set, because each set has a clock of its own. Call
 * it after listing the collections, so that all of them exist at that time.
 */
export async function presentMoments(
  databases: readonly OwnedDatabase[],
): Promise<Record<DatabaseOwner, Timestamp>> {
  const latest = new Map<string, Timestamp>()
  const sets: [DatabaseOwner, string][] = []
  for (const { owner, db } of databases) {
    const { setName, hosts, operationTime } = await db.command({ hello: 1 })
    const set = JSON.stringify([setName, hosts])
    const known = latest.get(set)
    if (!known || (operationTime as Timestamp).greaterThan(known)) latest.set(set, operationTime as Timestamp)
    sets.push([owner, set])
  }
  const moments = sets.map(([owner, set]) => [owner, latest.get(set)])
  return Object.fromEntries(moments) as Record<DatabaseOwner, Timestamp>
}
