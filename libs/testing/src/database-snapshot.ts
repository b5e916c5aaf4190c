import { createHash } from 'node:crypto'
import { databaseOwners } from '@sumlock/stack/provision'
import type { Stack } from '@sumlock/stack/services'
import { withDatabase } from './database.ts'

/** Number of documents and hash of their content, by `database.collection`. */
export type DatabaseSnapshot = Record<string, string>

/** Everything all services have stored. Two snapshots are equal if and only if nothing was stored in between. */
export async function databaseSnapshot(stack: Stack): Promise<DatabaseSnapshot> {
  const parts = await Promise.all(
    databaseOwners.map((owner) =>
      withDatabase(stack, owner, async (database) => {
        const collections = await database.listCollections()
        return Promise.all(
          collections.map(async ({ name }) => {
            const documents = await database.collection(name).find({}).sort({ _id: 1 }).toArray()
            const hash = createHash('sha256').update(JSON.stringify(documents)).digest('hex')
            return [`${owner}.${name}`, `${documents.length} documents, ${hash.slice(0, 16)}`] as const
          }),
        )
      }),
    ),
  )
  return Object.fromEntries(parts.flat().sort())
}
