import { createHash } from 'node:crypto'
import { databaseOwners } from '@sumlock/deployment/provision'
import { withDatabase } from './database.ts'
import { untakenEvents } from './events.ts'
import { eventually } from './wait.ts'
import type { RunningStack } from './shared-stack.ts'

/** Number of documents and hash of their content, by `database.collection`. */
export type DatabaseSnapshot = Record<string, string>

/** Everything that all services have stored. Two snapshots are equal if nothing was stored in between. */
export async function databaseSnapshot(stack: RunningStack): Promise<DatabaseSnapshot> {
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

/** Records that wait to be published or delivered, by owner and collection. */
const pending = [
  ...(['auth', 'messaging', 'billing'] as const).map(
    (owner) => [owner, 'outbox', { pending: true }] as const,
  ),
  ['messaging', 'messages', { unpublished: true }],
  ['notify', 'deliveries', { sealed: { $ne: null } }],
] as const

/** Resolves once no event is pending: from then on only requests change what is stored. */
export const settled = (stack: RunningStack): Promise<void> =>
  eventually(async () => {
    expect(await untakenEvents(stack)).toBe(0)
    for (const [owner, collection, filter] of pending) {
      const left = await withDatabase(stack, owner, (database) =>
        database.collection(collection).countDocuments(filter),
      )
      expect([collection, left]).toEqual([collection, 0])
    }
  })
