import fc from 'fast-check'
import { dayMs, expiryOf, nextSegment, toEntitlement, yearMs } from './ledger.ts'
import type { Grant } from './ledger.ts'

const now = new Date('2026-01-01T00:00:00Z')
const days = (date: Date | null) => (date ? (date.getTime() - now.getTime()) / dayMs : null)

function add(grants: readonly Grant[], at: Date, lengthMs: number): Grant[] {
  const segment = nextSegment(grants, at, lengthMs)
  return [
    ...grants,
    { _id: String(grants.length), userId: 'u', source: 'admin', createdAt: at, removedAt: null, ...segment },
  ]
}

describe('the ledger', () => {
  it('has no expiry without grants', () => {
    expect(expiryOf([])).toBeNull()
  })

  it('counts a year as 365 days', () => {
    expect(days(expiryOf(add([], now, yearMs)))).toBe(365)
  })

  it('appends a grant to premium that has not ended yet', () => {
    const first = add([], now, 30 * dayMs)
    expect(days(expiryOf(add(first, new Date(now.getTime() + 10 * dayMs), 30 * dayMs)))).toBe(60)
  })

  it('starts a segment at the end of existing premium, or now', () => {
    const first = add([], now, 30 * dayMs)
    const segment = nextSegment(first, new Date(now.getTime() + 10 * dayMs), dayMs)
    expect(days(segment.startsAt)).toBe(30)
    expect(days(segment.endsAt)).toBe(31)
    expect(days(nextSegment(first, new Date(now.getTime() + 40 * dayMs), dayMs).startsAt)).toBe(40)
  })

  it('starts from now after a gap', () => {
    const first = add([], now, 30 * dayMs)
    expect(days(expiryOf(add(first, new Date(now.getTime() + 50 * dayMs), 30 * dayMs)))).toBe(80)
  })

  it('shortens premium by the length of a removed segment only', () => {
    const grants = add(add([], now, 30 * dayMs), now, 20 * dayMs)
    const removed = grants.map((grant, index) => (index === 0 ? { ...grant, removedAt: now } : grant))
    expect(days(expiryOf(removed))).toBe(20)
  })

  it('gives each new segment the end of the whole ledger, after removals and in any order of reading', () => {
    const step = fc.record({
      waitDays: fc.nat(60),
      lengthDays: fc.integer({ min: 1, max: 90 }),
      remove: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 10 }), fc.infiniteStream(fc.nat()), (steps, ranks) => {
        let at = now
        let grants: Grant[] = []
        for (const { waitDays, lengthDays, remove } of steps) {
          at = new Date(at.getTime() + waitDays * dayMs)
          grants = add(grants, at, lengthDays * dayMs)
          expect(expiryOf(grants)).toEqual(grants.at(-1)?.endsAt)
          if (remove)
            grants = grants.map((grant, index) => (index === 0 ? { ...grant, removedAt: at } : grant))
          const shuffled = grants
            .map((grant) => ({ grant, rank: ranks.next().value as number }))
            .sort((left, right) => left.rank - right.rank)
            .map(({ grant }) => grant)
          expect(expiryOf(shuffled)).toEqual(expiryOf(grants))
        }
      }),
    )
  })

  it('STATE-23: is premium until the end of the last segment, and free from that moment on', () => {
    const grants = add([], now, dayMs)
    const end = new Date(now.getTime() + dayMs)
    const at = (date: Date) => toEntitlement('u', grants, 7, date)
    const subscriptionExpiresAt = end.toISOString()
    const premium = { userId: 'u', subscriptionType: 'premium', subscriptionExpiresAt, version: 7 }
    expect(at(new Date(end.getTime() - 1))).toEqual(premium)
    expect(at(end)).toEqual({ ...premium, subscriptionType: 'free' })
  })

  it('never becomes shorter by adding a grant', () => {
    const step = fc.record({ waitDays: fc.nat(400), lengthDays: fc.integer({ min: 1, max: 800 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let at = now
        let grants: Grant[] = []
        for (const { waitDays, lengthDays } of steps) {
          at = new Date(at.getTime() + waitDays * dayMs)
          const before = expiryOf(grants)?.getTime() ?? 0
          grants = add(grants, at, lengthDays * dayMs)
          const after = expiryOf(grants)?.getTime() ?? 0
          expect(after).toBeGreaterThan(before)
          expect(after).toBeGreaterThanOrEqual(at.getTime() + lengthDays * dayMs)
        }
      }),
    )
  })
})
