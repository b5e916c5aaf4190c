import { randomUUID } from 'node:crypto'
import { noDatabase } from '@sumlock/testing/no-database'
import type { Context } from '../context.ts'
import { createReconcileEntitlements } from './reconcile-entitlements.ts'

const startMs = Date.parse('2026-11-24T12:00:00.000Z')
const minute = 60_000

/** billing with these changes, each at its minute after the start, in pages of two. */
function world() {
  const changes: { userId: string; atMs: number }[] = []
  const known = new Set<string>()
  const published: string[] = []
  const asked: number[] = []
  const now = { ms: startMs, hearsEvents: false }
  const ctx = {
    clock: { nowMs: () => now.ms },
    askEntitlementChanges: (since: Date) => {
      asked.push(since.getTime())
      const found = changes.filter(({ atMs }) => atMs >= since.getTime()).slice(0, 2)
      return Promise.resolve(
        found.map(({ userId, atMs }) => ({
          entitlement: { userId },
          changedAt: new Date(atMs).toISOString(),
        })),
      )
    },
    entitlementStore: {
      save: ({ userId }: { userId: string }) => Promise.resolve(!known.has(userId) && !!known.add(userId)),
    },
    entitlements: { drop: () => undefined },
    memberList: { partnersOf: () => Promise.resolve([]) },
    connection: noDatabase(),
    outbox: {
      add: (_session: unknown, _event: unknown, { userIds }: { userIds: string[] }) =>
        Promise.resolve(void published.push(...userIds)),
      kick: () => undefined,
    },
  }
  const change = (minutes: number) => {
    const userId = randomUUID()
    changes.push({ userId, atMs: startMs + minutes * minute })
    return userId
  }
  const run = createReconcileEntitlements(ctx as unknown as Context, () => now.hearsEvents)
  return { run, now, change, known, published, asked }
}

it('stores what no event brought, over as many pages as there are, and tells both sides of it once', async () => {
  const { run, change, known, published } = world()
  const people = [1, 2, 3, 4, 5].map(change)
  known.add(people[1] ?? '')
  await run()
  await run()
  expect(published).toEqual(people.filter((_, index) => index !== 1))
})

it('looks back a minute behind the last change, because a change may become visible late', async () => {
  const { run, change, published, asked } = world()
  change(10)
  await run()
  const late = change(9.5)
  await run()
  expect(published).toContain(late)
  expect(asked.at(-1)).toBeGreaterThanOrEqual(startMs + 9 * minute)
})

it('asks every 20 seconds while events arrive, and at every run while Kafka is silent', async () => {
  const { run, now, asked } = world()
  const runEverySecond = async (seconds: number) => {
    const before = asked.length
    for (let second = 0; second < seconds; second += 1) {
      now.ms += 1000
      await run()
    }
    return asked.length - before
  }
  now.hearsEvents = true
  expect(await runEverySecond(40)).toBe(2)
  now.hearsEvents = false
  expect(await runEverySecond(5)).toBe(5)
})
