import type { Context } from '../context.ts'
import { publishExpiries } from './publish-expiries.ts'

it('publishes the later expiries of premium when one cannot be published, and leaves that one for the next run', async () => {
  const end = new Date('2026-01-01T12:00:00Z')
  const marked: string[] = []
  const warned: unknown[] = []
  const ctx = {
    logger: { warn: (fields: { userId: string }) => warned.push(fields.userId) },
    entitlementStore: {
      unpublishedEnds: () => Promise.resolve(['ada', 'ben'].map((userId) => ({ userId, end }))),
      markEndPublished: (userId: string) => Promise.resolve(marked.push(userId)),
    },
    conversations: {
      partnersOf: (userId: string) =>
        userId === 'ada' ? Promise.reject(new Error('too large')) : Promise.resolve([]),
    },
    connection: { transaction: (work: (session: null) => Promise<void>) => work(null) },
    outbox: { add: () => Promise.resolve(), kick: () => undefined },
  } as unknown as Context
  await publishExpiries(ctx, end)
  expect(marked).toEqual(['ben'])
  expect(warned).toEqual(['ada'])
})
