import { noDatabase } from '@sumlock/testing/no-database'
import type { Context } from '../context.ts'
import { publishExpiries } from './publish-expiries.ts'

it('publishes the later expiries of premium when some cannot be published, and leaves those for the next run', async () => {
  const end = new Date('2026-01-01T12:00:00Z')
  const ends = Array.from({ length: 1100 }, (_, index) => ({ userId: `person ${index}`, end }))
  const isBroken = ({ userId }: { userId: string }) => Number(userId.split(' ')[1]) < 600
  const marked = new Set<string>()
  const warned: string[] = []
  const ctx = {
    logger: { warn: (fields: { userId: string }) => warned.push(fields.userId) },
    entitlementStore: {
      unpublishedEnds: (_period: object, { skip, limit }: { skip: number; limit: number }) =>
        Promise.resolve(ends.filter(({ userId }) => !marked.has(userId)).slice(skip, skip + limit)),
      markEndPublished: (userId: string) => Promise.resolve(marked.add(userId)),
    },
    memberList: {
      partnersOf: (userId: string) =>
        isBroken({ userId }) ? Promise.reject(new Error('too large')) : Promise.resolve([]),
    },
    connection: noDatabase(),
    outbox: { add: () => Promise.resolve(), kick: () => undefined },
  } as unknown as Context
  await publishExpiries(ctx, end)
  expect(warned).toEqual(ends.filter(isBroken).map(({ userId }) => userId))
  expect(marked.size).toBe(500)
})
