import fc from 'fast-check'
import { dayMs, expiryOf, totalLeftMs, nextSegment, resumedSegment, timeOfChange } from './ledger.ts'
import type { Grant } from './ledger.ts'

const onDay = (day: number) => new Date(Date.UTC(2026, 0, 1) + day * dayMs)
const daysLeft = (grants: readonly Grant[], day: number) =>
  Math.round(Math.max(0, (expiryOf(grants)?.getTime() ?? 0) - onDay(day).getTime()) / dayMs)
const row = (grants: readonly Grant[], day: number) => ({
  _id: String(grants.length),
  userId: 'u',
  createdAt: timeOfChange(grants, onDay(day)),
  removedAt: null,
})

function give(grants: readonly Grant[], day: number, lengthDays = 365): readonly Grant[] {
  const given = row(grants, day)
  return [
    ...grants,
    { ...given, source: 'direct', ...nextSegment(grants, given.createdAt, lengthDays * dayMs) },
  ]
}
const subscribe = (grants: readonly Grant[], day: number, endDay: number): readonly Grant[] => [
  ...grants,
  { ...row(grants, day), source: 'store', kind: 'store', startsAt: onDay(day), endsAt: onDay(endDay) },
]
const moveStores = (grants: readonly Grant[], endDay: number): readonly Grant[] =>
  grants.map((grant) => (grant.kind === 'store' ? { ...grant, endsAt: onDay(endDay) } : grant))
const remove = (grants: readonly Grant[], id: string, day: number): readonly Grant[] =>
  grants.map((grant) => (grant._id === id ? { ...grant, removedAt: onDay(day) } : grant))

/** A dispute that begins on one day and is won on another; `meanwhile` changes the ledger in between. */
function disputed(
  before: readonly Grant[],
  id: string,
  [day, wonDay]: [number, number],
  meanwhile = (grants: readonly Grant[]) => grants,
): readonly Grant[] {
  const removed = remove(before, id, day)
  const takenMs = totalLeftMs(before, onDay(day)) - totalLeftMs(removed, onDay(day))
  const grants = meanwhile(removed)
  const lost = grants.find(({ _id }) => _id === id)
  if (!lost || takenMs === 0) return grants
  const back = row(grants, wonDay)
  return [...grants, { ...back, source: 'direct', ...resumedSegment(grants, lost, back.createdAt, takenMs) }]
}

describe('a grant that a won dispute gives back', () => {
  it('runs in parallel with a store subscription as before, and remains when the store refunds', () => {
    const both = subscribe(give([], 0), 0, 366)
    const won = disputed(both, '0', [10, 10])
    expect(daysLeft(won, 10)).toBe(356)
    expect(daysLeft(moveStores(won, 20), 20)).toBe(345)
  })

  it('lost no time while it was disputed, even where a store subscription hid it', () => {
    const won = disputed(subscribe(give([], 0), 0, 366), '0', [10, 50])
    expect(daysLeft(moveStores(won, 60), 60)).toBe(345)
  })

  it('follows the store subscription that it followed, and no other', () => {
    const after = give(subscribe([], 0, 100), 0)
    expect(daysLeft(disputed(after, '1', [10, 10]), 10)).toBe(455)
    expect(
      daysLeft(
        disputed(after, '1', [10, 10], (grants) => subscribe(grants, 10, 400)),
        10,
      ),
    ).toBe(455)
  })

  it('comes before a year that waits for the store, which it does not make longer', () => {
    const waiting = give(subscribe(give([], 0), 1, 400), 2)
    expect(daysLeft(waiting, 10)).toBe(755)
    const won = disputed(waiting, '0', [10, 10])
    expect(daysLeft(won, 10)).toBe(755)
    expect(daysLeft(moveStores(won, 20), 20)).toBe(710)
    expect(daysLeft(disputed(won, '3', [10, 10]), 10)).toBe(755)
  })

  it('comes after a year that took its place during the dispute', () => {
    const two = give(give([], 0), 50)
    const won = disputed(two, '0', [100, 200])
    expect(daysLeft(won, 200)).toBe(530)
    expect(expiryOf(won.toReversed())).toEqual(expiryOf(won))
    const bought = disputed(give([], 0), '0', [10, 50], (grants) => give(grants, 20))
    expect(daysLeft(bought, 50)).toBe(690)
  })

  it('costs its own length when it is refunded, also when the store had ended early while others were given', () => {
    const after = give(subscribe([], 0, 30), 0, 20)
    const won = disputed(after, '1', [1, 3], (grants) => give(give(moveStores(grants, 1), 2, 10), 2, 10))
    const restored = moveStores(won, 30)
    expect(daysLeft(restored, 4)).toBe(66)
    expect(daysLeft(remove(restored, '4', 4), 4)).toBe(46)
  })

  it('leaves premium as it would be without the dispute, whatever stores do later', () => {
    const event = fc.record({ wait: fc.nat(60), length: fc.integer({ min: 1, max: 400 }) })
    const given = fc.record({
      wait: fc.nat(60),
      length: fc.integer({ min: 1, max: 400 }),
      isStore: fc.boolean(),
    })
    const history = fc.array(given, { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(history, fc.nat(5), fc.array(event, { maxLength: 4 }), (steps, index, moves) => {
        let day = 0
        let grants: readonly Grant[] = []
        for (const { wait, length, isStore } of steps) {
          day += wait
          grants = isStore ? subscribe(grants, day, day + length) : give(grants, day, length)
        }
        const disputable = grants.filter(({ kind }) => kind !== 'store')
        const id = disputable[index % Math.max(1, disputable.length)]?._id ?? 'none'
        let won = disputed(grants, id, [day, day])
        for (const { wait, length } of [{ wait: 0, length: 0 }, ...moves]) {
          day += wait
          if (length > 0) [grants, won] = [moveStores(grants, day + length), moveStores(won, day + length)]
          expect(daysLeft(won, day)).toBe(daysLeft(grants, day))
        }
      }),
      { numRuns: 500 },
    )
  })
})
