import fc from 'fast-check'
import { dayMs, expiryOf, nextSegment, yearMs } from './ledger.ts'
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
  it('folds to nothing when nothing was granted', () => {
    expect(expiryOf([])).toBeNull()
  })

  it('counts a year as 365 days', () => {
    expect(days(expiryOf(add([], now, yearMs)))).toBe(365)
  })

  it('appends what is given while something is still paid', () => {
    const first = add([], now, 30 * dayMs)
    expect(days(expiryOf(add(first, new Date(now.getTime() + 10 * dayMs), 30 * dayMs)))).toBe(60)
  })

  it('starts anew after a gap', () => {
    const first = add([], now, 30 * dayMs)
    expect(days(expiryOf(add(first, new Date(now.getTime() + 50 * dayMs), 30 * dayMs)))).toBe(80)
  })

  it('takes away only the segment that was removed', () => {
    const grants = add(add([], now, 30 * dayMs), now, 20 * dayMs)
    const removed = grants.map((grant, index) => (index === 0 ? { ...grant, removedAt: now } : grant))
    expect(days(expiryOf(removed))).toBe(20)
  })

  it('never becomes shorter by adding', () => {
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
