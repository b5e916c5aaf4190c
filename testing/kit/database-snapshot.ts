import { createHash } from 'node:crypto'
import { databaseOwners } from '@sumlock/deployment/provision'
import { withDatabase } from './database.ts'
import { untakenEvents } from './events.ts'
import { eventually } from './wait.ts'
import type { RunningStack } from './shared-stack.ts'

/** The number of documents and a hash of their content, for each `database.collection`. */
export type DatabaseSnapshot = Record<string, string>

/** A request moves these dates of its session when the last move was a minute ago. */
const projection = { lastSeenAt: 0, idleEndsAt: 0 }

/** Summarizes everything that all services have stored. Two snapshots are equal if nothing was stored between them. */
export async function databaseSnapshot(stack: RunningStack): Promise<DatabaseSnapshot> {
  const snapshot: DatabaseSnapshot = {}
  for (const owner of databaseOwners)
    await withDatabase(stack, owner, async (database) => {
      for (const { name } of await database.listCollections()) {
        const documents = await database.collection(name).find({}, { projection }).sort({ _id: 1 }).toArray()
        const hash = createHash('sha256').update(JSON.stringify(documents)).digest('hex')
        snapshot[`${owner}.${name}`] = `${documents.length} documents, ${hash}`
      }
    })
  return snapshot
}

/**
 * Records match these filters while they wait to be published or delivered; each entry names database and collection.
 */
const pending = [
  ['auth', 'outbox', { pending: true }],
  ['messaging', 'outbox', { pending: true }],
  ['billing', 'outbox', { pending: true }],
  ['messaging', 'messages', { unpublished: true }],
  ['notify', 'deliveries', { sealed: { $ne: null } }],
] as const

/** Resolves once no event is pending. From then on, only requests change what is stored. */
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
