import { setImmediate as turn } from 'node:timers/promises'
import { premiumUntilOf } from '../domain/entitlement.ts'
import type { AccountStatus } from '../domain/entitlement.ts'
import { createEntitlementCache } from './entitlement-cache.ts'

const until = new Date('2027-01-01T00:00:00Z')
const free = { premiumUntil: null }
const premium = { premiumUntil: until }

function setUp() {
  const world = {
    nowMs: 0,
    rows: new Map<string, AccountStatus>(),
    reads: [] as string[][],
    changed: [] as string[],
    isAway: false,
    asked: 0,
    /** Waits until the database answers a read. */
    answering: Promise.resolve(),
  }
  const read = async (ids: readonly string[]) => {
    world.reads.push([...ids])
    const rows = new Map(world.rows)
    await world.answering
    return rows
  }
  return {
    world,
    cache: createEntitlementCache({
      read: (ids) => read(ids),
      changes: () => {
        world.asked += 1
        return world.isAway ? Promise.reject(new Error('away')) : Promise.resolve(world.changed)
      },
      nowMs: () => world.nowMs,
    }),
  }
}

describe('the entitlement cache', () => {
  it('reads both members in one query, and those again who have changed a second later', async () => {
    const { world, cache } = setUp()
    world.rows.set('ben', premium)
    expect(await cache.statusesOf(['ann', 'ben'])).toEqual([free, premium])
    world.rows.delete('ben')
    world.changed = ['ben']
    world.nowMs = 999
    expect(await cache.statusesOf(['ben', 'ann'])).toEqual([premium, free])
    world.nowMs = 1000
    expect(await cache.statusesOf(['ann', 'ben'])).toEqual([free, free])
    expect(world.reads).toEqual([['ann', 'ben'], ['ben']])
    expect(world.asked).toBe(2)
  })

  it('reads once for all concurrent callers', async () => {
    const { world, cache } = setUp()
    await Promise.all(['ann', 'ben', 'cal'].map((userId) => cache.statusesOf([userId])))
    expect(world.asked).toBe(1)
  })

  it('reads a person again after ten seconds, and after one while the changes are unknown', async () => {
    const { world, cache } = setUp()
    await cache.statusesOf(['ann'])
    for (world.nowMs = 1000; world.nowMs < 10_000; world.nowMs += 1000) await cache.statusesOf(['ann'])
    expect(world.reads).toHaveLength(1)
    await cache.statusesOf(['ann'])
    expect(world.reads).toHaveLength(2)
    world.isAway = true
    world.nowMs += 1000
    await cache.statusesOf(['ann'])
    expect(world.reads).toHaveLength(3)
  })

  it('reads only the people it does not remember', async () => {
    const { world, cache } = setUp()
    await cache.statusesOf(['ann', 'ben'])
    await cache.statusesOf(['ann', 'cal'])
    expect(world.reads).toEqual([['ann', 'ben'], ['cal']])
  })

  it('drops a person at once when an event arrives, also during a read', async () => {
    const { world, cache } = setUp()
    await cache.statusesOf(['ann'])
    world.rows.set('ann', premium)
    cache.drop('ann')
    expect(await cache.statusesOf(['ann'])).toEqual([premium])

    cache.drop('ann')
    const answer = Promise.withResolvers<void>()
    world.answering = answer.promise
    const reading = cache.statusesOf(['ann'])
    await turn()
    world.rows.delete('ann')
    cache.drop('ann')
    answer.resolve()
    expect(await reading).toEqual([premium])
    expect(await cache.statusesOf(['ann'])).toEqual([free])
  })

  it('remembers 20,000 people, the latest ones first', async () => {
    const { world, cache } = setUp()
    const people = Array.from({ length: 20_000 }, (_, index) => `person-${index}`)
    await cache.statusesOf(people)
    await cache.statusesOf(['ann'])
    world.reads.length = 0
    await cache.statusesOf(['ann'])
    expect(world.reads).toEqual([])
    await cache.statusesOf(['person-0'])
    expect(world.reads).toEqual([['person-0']])
  })
})

it('an entitlement of type free is not premium, also with a date in the future', () => {
  const subscriptionExpiresAt = until.toISOString()
  expect(premiumUntilOf({ subscriptionType: 'free', subscriptionExpiresAt })).toBeNull()
  expect(premiumUntilOf({ subscriptionType: 'premium', subscriptionExpiresAt: null })).toBeNull()
  expect(premiumUntilOf({ subscriptionType: 'premium', subscriptionExpiresAt })).toEqual(until)
})
