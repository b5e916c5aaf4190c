import fc from 'fast-check'
import { dayMs, expiryOf, nextSegment, segmentsOf, timeOfChange, toEntitlement, yearMs } from './ledger.ts'
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

  it('STATE-22 STATE-23: is premium until the end of the last segment, and free from that moment on', () => {
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

describe('the ledger with subscriptions of stores, whose ends move', () => {
  const daysFromNow = fc.integer({ min: -30, max: 400 })
  const step = fc.record({
    // A replica's clock may be behind another one's.
    waitDays: fc.constantFrom(-1, 0, 0, 1, 30, 200),
    change: fc.oneof(
      fc.record({ kind: fc.constant('give' as const), lengthDays: fc.integer({ min: 1, max: 400 }) }),
      fc.record({ kind: fc.constant('subscribe' as const), endDay: daysFromNow }),
      fc.record({ kind: fc.constant('move' as const), index: fc.nat(9), endDay: daysFromNow }),
      fc.record({ kind: fc.constant('remove' as const), index: fc.nat(9) }),
    ),
  })
  type Change = ReturnType<typeof step.generate>['value']['change']
  const msOf = (grants: readonly Grant[]) => expiryOf(grants)?.getTime() ?? 0
  const lengthOf = ({ startsAt, endsAt }: Pick<Grant, 'startsAt' | 'endsAt'>) =>
    endsAt.getTime() - startsAt.getTime()
  const isStore = ({ kind }: Grant) => kind === 'store'
  const kept = (grants: readonly Grant[]) => grants.filter(({ removedAt }) => removedAt === null)

  function changed(grants: readonly Grant[], at: Date, change: Change): readonly Grant[] {
    const inDays = (days: number) => new Date(at.getTime() + days * dayMs)
    const nth = (among: readonly Grant[], index: number) => among[index % Math.max(among.length, 1)]
    const replace = (one: Grant | undefined, by: Partial<Grant>) =>
      grants.map((grant) => (grant === one ? { ...grant, ...by } : grant))
    switch (change.kind) {
      case 'give':
        return add(grants, at, change.lengthDays * dayMs)
      case 'subscribe': {
        const span = { startsAt: at, endsAt: inDays(change.endDay), createdAt: at, removedAt: null }
        return [
          ...grants,
          { _id: String(grants.length), userId: 'u', source: 'store', kind: 'store', ...span },
        ]
      }
      case 'move':
        return replace(nth(grants.filter(isStore), change.index), { endsAt: inDays(change.endDay) })
      case 'remove': {
        const given = kept(grants).filter((grant) => !isStore(grant))
        return replace(nth(given, change.index), { removedAt: at })
      }
    }
  }

  /** Makes the changes one after the other; `look` receives the ledger before and after each. */
  const afterEveryChange = (
    look: (before: readonly Grant[], after: readonly Grant[], at: Date, change: Change) => void,
  ) =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let at = now
        let grants: readonly Grant[] = []
        for (const { waitDays, change } of steps) {
          at = timeOfChange(grants, new Date(at.getTime() + waitDays * dayMs))
          const after = changed(grants, at, change)
          look(grants, after, at, change)
          grants = after
        }
      }),
      { numRuns: 500 },
    )

  it('keeps the length of each gift, which begins when it was given or after what is still paid before it', () => {
    afterEveryChange((_before, after) => {
      const gifts = kept(after).filter((grant) => !isStore(grant))
      const segments = segmentsOf(after).filter(({ source }) => source !== 'store')
      expect(segments.map(lengthOf)).toEqual(gifts.map(lengthOf))
      const storeEnd = Math.max(0, ...after.filter(isStore).map(({ endsAt }) => endsAt.getTime()))
      segments.forEach(({ startsAt }, index) => {
        const given = gifts[index]?.createdAt.getTime() ?? NaN
        const earliest = Math.max(given, segments[index - 1]?.endsAt.getTime() ?? 0)
        expect(startsAt.getTime()).toBeGreaterThanOrEqual(earliest)
        expect(startsAt.getTime()).toBeLessThanOrEqual(Math.max(earliest, storeEnd))
      })
    })
  })

  it('lasts as long as the last gift and the last store, in whatever order the rows are read', () => {
    afterEveryChange((_before, after) => {
      const ends = segmentsOf(after).map(({ endsAt }) => endsAt.getTime())
      for (const store of after.filter(isStore)) expect(ends).toContain(store.endsAt.getTime())
      expect(msOf(after)).toBe(Math.max(0, ...ends))
      expect(msOf(after.toReversed())).toBe(msOf(after))
    })
  })

  it('becomes longer by a whole gift, and shorter by no more than the gift that was taken back', () => {
    afterEveryChange((before, after, at, change) => {
      if (change.kind === 'give')
        expect(msOf(after)).toBe(Math.max(msOf(before), at.getTime()) + change.lengthDays * dayMs)
      if (change.kind !== 'remove') return
      const removed = kept(before).filter((grant) => !kept(after).some(({ _id }) => _id === grant._id))
      const most = removed.reduce((sum, grant) => sum + lengthOf(grant), 0)
      expect(msOf(after)).toBeLessThanOrEqual(msOf(before))
      expect(Math.max(msOf(after), at.getTime())).toBeGreaterThanOrEqual(msOf(before) - most)
    })
  })

  it('becomes shorter by the gift taken back, also when the store had ended early while the next was given', () => {
    const subscribed = changed([], now, { kind: 'subscribe', endDay: 30 })
    const after = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
    const first = changed(subscribed, after(1), { kind: 'give', lengthDays: 20 })
    const cutShort = changed(first, after(2), { kind: 'move', index: 0, endDay: 0 })
    const second = changed(cutShort, after(3), { kind: 'give', lengthDays: 10 })
    const restored = changed(second, now, { kind: 'move', index: 0, endDay: 30 })
    expect(days(expiryOf(restored))).toBe(60)
    const takenBack = changed(restored, after(4), { kind: 'remove', index: 0 })
    expect(days(expiryOf(takenBack))).toBe(40)
  })

  it('does not move gifts that were given before a subscription was bought', () => {
    afterEveryChange((before, after, _at, change) => {
      if (change.kind !== 'subscribe' || before.some(({ afterStore }) => afterStore)) return
      expect(segmentsOf(after).slice(0, -1)).toEqual(segmentsOf(before))
    })
  })

  it('never ends earlier when a store extends, nor later when a store shortens', () => {
    afterEveryChange((before, after, _at, change) => {
      if (change.kind !== 'move') return
      const moved = after.find((grant, index) => grant !== before[index])
      const was = before.find(({ _id }) => _id === moved?._id)
      if (!moved || !was) return
      const by = moved.endsAt.getTime() - was.endsAt.getTime()
      if (by >= 0) expect(msOf(after)).toBeGreaterThanOrEqual(msOf(before))
      if (by <= 0) expect(msOf(after)).toBeLessThanOrEqual(msOf(before))
    })
  })
})
