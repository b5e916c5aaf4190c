import { premiumUntilOf } from '../domain/entitlement.ts'
import type { PremiumUntil } from '../domain/entitlement.ts'
import { createEntitlementCache } from './entitlement-cache.ts'

const until = new Date('2027-01-01T00:00:00Z')

function setUp() {
  const world = { nowMs: 0, rows: new Map<string, PremiumUntil>(), reads: [] as string[][] }
  const read = (ids: readonly string[]) => {
    world.reads.push([...ids])
    return Promise.resolve(new Map(world.rows))
  }
  return {
    world,
    cache: createEntitlementCache(
      (ids) => read(ids),
      () => world.nowMs,
    ),
  }
}

describe('the entitlement cache', () => {
  it('reads both members in one query and remembers them for a second', async () => {
    const { world, cache } = setUp()
    world.rows.set('ben', until)
    expect(await cache.premiumUntil(['ann', 'ben'])).toEqual([null, until])
    world.nowMs = 999
    expect(await cache.premiumUntil(['ben', 'ann'])).toEqual([until, null])
    expect(world.reads).toEqual([['ann', 'ben']])
    world.rows.delete('ben')
    world.nowMs = 1000
    expect(await cache.premiumUntil(['ann', 'ben'])).toEqual([null, null])
  })

  it('reads only the people it does not remember', async () => {
    const { world, cache } = setUp()
    await cache.premiumUntil(['ann', 'ben'])
    await cache.premiumUntil(['ann', 'cal'])
    expect(world.reads).toEqual([['ann', 'ben'], ['cal']])
  })

  it('drops a person at once when an event arrives, also during a read', async () => {
    const { world, cache } = setUp()
    await cache.premiumUntil(['ann'])
    world.rows.set('ann', until)
    cache.drop('ann')
    expect(await cache.premiumUntil(['ann'])).toEqual([until])

    world.nowMs = 1000
    const reading = cache.premiumUntil(['ann'])
    world.rows.delete('ann')
    cache.drop('ann')
    expect(await reading).toEqual([until])
    expect(await cache.premiumUntil(['ann'])).toEqual([null])
  })

  it('remembers 20,000 people, the latest ones first', async () => {
    const { world, cache } = setUp()
    const people = Array.from({ length: 20_000 }, (_, index) => `person-${index}`)
    await cache.premiumUntil(people)
    await cache.premiumUntil(['ann'])
    world.reads.length = 0
    await cache.premiumUntil(['ann'])
    expect(world.reads).toEqual([])
    await cache.premiumUntil(['person-0'])
    expect(world.reads).toEqual([['person-0']])
  })
})

it('an entitlement of type free is not premium, also with a date in the future', () => {
  const subscriptionExpiresAt = until.toISOString()
  expect(premiumUntilOf({ subscriptionType: 'free', subscriptionExpiresAt })).toBeNull()
  expect(premiumUntilOf({ subscriptionType: 'premium', subscriptionExpiresAt: null })).toBeNull()
  expect(premiumUntilOf({ subscriptionType: 'premium', subscriptionExpiresAt })).toEqual(until)
})
