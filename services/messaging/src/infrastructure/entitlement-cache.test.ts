import { premiumUntilOf } from '../domain/entitlement.ts'
import type { Standing } from '../domain/entitlement.ts'
import { createEntitlementCache } from './entitlement-cache.ts'

const until = new Date('2027-01-01T00:00:00Z')
const free = { premiumUntil: null }
const premium = { premiumUntil: until }

function setUp() {
  const world = { nowMs: 0, rows: new Map<string, Standing>(), reads: [] as string[][] }
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
    world.rows.set('ben', premium)
    expect(await cache.standingsOf(['ann', 'ben'])).toEqual([free, premium])
    world.nowMs = 999
    expect(await cache.standingsOf(['ben', 'ann'])).toEqual([premium, free])
    expect(world.reads).toEqual([['ann', 'ben']])
    world.rows.delete('ben')
    world.nowMs = 1000
    expect(await cache.standingsOf(['ann', 'ben'])).toEqual([free, free])
  })

  it('reads only the people it does not remember', async () => {
    const { world, cache } = setUp()
    await cache.standingsOf(['ann', 'ben'])
    await cache.standingsOf(['ann', 'cal'])
    expect(world.reads).toEqual([['ann', 'ben'], ['cal']])
  })

  it('drops a person at once when an event arrives, also during a read', async () => {
    const { world, cache } = setUp()
    await cache.standingsOf(['ann'])
    world.rows.set('ann', premium)
    cache.drop('ann')
    expect(await cache.standingsOf(['ann'])).toEqual([premium])

    world.nowMs = 1000
    const reading = cache.standingsOf(['ann'])
    world.rows.delete('ann')
    cache.drop('ann')
    expect(await reading).toEqual([premium])
    expect(await cache.standingsOf(['ann'])).toEqual([free])
  })

  it('remembers 20,000 people, the latest ones first', async () => {
    const { world, cache } = setUp()
    const people = Array.from({ length: 20_000 }, (_, index) => `person-${index}`)
    await cache.standingsOf(people)
    await cache.standingsOf(['ann'])
    world.reads.length = 0
    await cache.standingsOf(['ann'])
    expect(world.reads).toEqual([])
    await cache.standingsOf(['person-0'])
    expect(world.reads).toEqual([['person-0']])
  })
})

it('an entitlement of type free is not premium, also with a date in the future', () => {
  const subscriptionExpiresAt = until.toISOString()
  expect(premiumUntilOf({ subscriptionType: 'free', subscriptionExpiresAt })).toBeNull()
  expect(premiumUntilOf({ subscriptionType: 'premium', subscriptionExpiresAt: null })).toBeNull()
  expect(premiumUntilOf({ subscriptionType: 'premium', subscriptionExpiresAt })).toEqual(until)
})
