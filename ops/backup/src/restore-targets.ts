import type { Bucket } from './bucket.ts'
import { ownCollections } from './database.ts'
import type { OwnedDatabase } from './database.ts'
import { RefusedError } from './errors.ts'

export const restoreAppName = 'sumlock-restore'

/** Throws when another client is connected as the database's user: a running service would write into the restore. */
export async function requireUnused(databases: readonly OwnedDatabase[]): Promise<void> {
  for (const { owner, db } of databases) {
    const connections = await db.client
      .db('admin')
      .aggregate<{ appName?: string }>([{ $currentOp: { allUsers: false, idleConnections: true } }])
      .toArray()
    const others = connections.filter(({ appName }) => appName !== restoreAppName)
    if (others.length > 0)
      throw new RefusedError(
        `The database of ${owner} is in use (${others.length} connections). Stop the services first, then restore.`,
      )
  }
}

/** Throws when the restore would overwrite data. */
export async function requireEmpty(
  databases: readonly OwnedDatabase[],
  bucket: Bucket | null,
): Promise<void> {
  const full: string[] = []
  for (const database of databases)
    for (const { name } of await ownCollections(database))
      if ((await database.db.collection(name).findOne({}, { projection: { _id: 1 } })) !== null)
        full.push(`${database.owner}.${name}`)
  if (bucket && !(await bucket.keys().next()).done) full.push('the media bucket')
  if (full.length > 0)
    throw new RefusedError(
      `There is already data in ${full.join(', ')}. To delete it and restore the backup in its place: --replace`,
    )
}
