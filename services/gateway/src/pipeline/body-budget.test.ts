import { networksOf } from '@sumlock/service-kit/client-address'
import { createBodyBudget } from './body-budget.ts'
import type { BodyBounds, BodyClaim } from './body-budget.ts'

function setUp(bounds: BodyBounds) {
  const budget = createBodyBudget(bounds)
  const ended: string[] = []
  const take = (address: string, bytes: number, name = address) => {
    const taken = budget.take(networksOf(address), bytes, () => ended.push(name))
    const refused = typeof taken === 'string' ? taken : undefined
    return { refused, ...(typeof taken === 'string' ? {} : taken) } as {
      refused?: string
    } & Partial<BodyClaim>
  }
  return { take, ended }
}

it('refuses the bytes of an address beyond its share, and others not', () => {
  const { take, ended } = setUp({ total: 100, perAddress: 10 })
  const first = take('a', 6)
  first.arrived?.()
  take('a', 4).arrived?.()
  expect(take('a', 1).refused).toBe('address')
  expect(take('b', 10).refused).toBeUndefined()
  first.release?.()
  first.release?.()
  const next = take('a', 6)
  expect(next.refused).toBeUndefined()
  next.arrived?.()
  expect(take('a', 1).refused).toBe('address')
  expect(ended).toEqual([])
})

it('ends the bodies that wait longest at an address for another one of it, and none of other addresses', () => {
  const { take, ended } = setUp({ total: 100, perAddress: 10 })
  take('b', 10)
  take('a', 4, 'arrived').arrived?.()
  take('a', 2, 'oldest')
  take('a', 2, 'middle')
  take('a', 2, 'newest')
  expect(take('a', 3, 'next').refused).toBeUndefined()
  expect(ended).toEqual(['oldest', 'middle'])
})

it('ends the bodies that wait longest at the address that holds most for one that does not fit', () => {
  const { take, ended } = setUp({ total: 20, perAddress: 12 })
  take('b', 8)
  take('a', 4, 'oldest')
  take('a', 4, 'middle')
  take('a', 3, 'newest')
  expect(take('c', 6).refused).toBeUndefined()
  expect(ended).toEqual(['oldest', 'b'])
})

it('ends no body that has arrived, and refuses when there is no other', () => {
  const { take, ended } = setUp({ total: 20, perAddress: 12 })
  const whole = take('a', 12)
  const partial = take('b', 8)
  whole.arrived?.()
  expect(take('c', 8).refused).toBeUndefined()
  expect(ended).toEqual(['b'])
  partial.arrived?.()
  partial.release?.()
  expect(take('c', 4, 'second').refused).toBeUndefined()
  expect(take('d', 12).refused).toBe('bodies')
  whole.release?.()
  expect(take('d', 12).refused).toBeUndefined()
})

it('refuses an address within the share of all without ending a body of another', () => {
  const { take, ended } = setUp({ total: 10, perAddress: 5 })
  take('a', 5)
  take('b', 5).arrived?.()
  expect(take('b', 1).refused).toBe('address')
  expect(ended).toEqual([])
})

it('gives a /56 four times and a /48 sixteen times the share of a /64, and ends its own bodies beyond that', () => {
  const { take, ended } = setUp({ total: 1000, perAddress: 10 })
  for (let net = 0; net < 4; net += 1) take(`2001:db8:1:10${net}::1`, 10, `first ${net}`)
  expect(ended).toEqual([])
  expect(take('2001:db8:1:104::1', 10).refused).toBeUndefined()
  expect(ended).toEqual(['first 0'])
  for (let net = 2; net <= 9; net += 1)
    for (const last of [1, 2, 3, 4]) take(`2001:db8:1:${net}0${last}::1`, 4, `${net}`)
  // 40 + 8 × 16 = 168 bytes for 160.
  expect(ended).toEqual(['first 0', 'first 1'])
})

it('ends the bodies of the /48 that holds most, of however many addresses, and not a larger one of somebody else', () => {
  const { take, ended } = setUp({ total: 60, perAddress: 12 })
  take('192.0.2.1', 12, 'of somebody else')
  for (let net = 0; net < 8; net += 1) take(`2001:db8:2:${net}00::1`, 6, `slow ${net}`)
  expect(take('2001:db8:2:900::1', 6).refused).toBeUndefined()
  expect(take('198.51.100.1', 6).refused).toBeUndefined()
  expect(ended).toEqual(['slow 0', 'slow 1'])
})
