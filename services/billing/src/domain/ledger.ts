import type { Entitlement } from '@sumlock/contracts/internal-routes'
import type { EndReason } from './payment.ts'

export const dayMs = 86_400_000
/** A year of premium is 365 times 24 hours, also in a leap year. */
export const yearMs = 365 * dayMs

export type GrantSource = 'direct' | 'store' | 'gift' | 'code' | 'promo' | 'admin'

/** A segment of premium. Segments are never deleted; a refunded one is marked with `removedAt`. */
export interface Grant {
  _id: string
  userId: string
  source: GrantSource
  startsAt: Date
  endsAt: Date
  createdAt: Date
  removedAt: Date | null
  /** The field is removed again once a dispute was won, because another grant then returns the rest. */
  removedFor?: EndReason
  /** A store's subscription: `endsAt` moves with each renewal, grace and refund. Absent: the length is fixed. */
  kind?: 'store'
  /** A store's subscription that cost no money: a reviewer's or a tester's. */
  isSandbox?: boolean
  /**
   * Only a fixed length has it: the latest end of a store's subscription that this grant, or an earlier one, follows.
   */
  afterStore?: Date
  /**
   * Only the rest that a won dispute returns has it: the grant is placed as if it had been given at this time, but
   * begins no earlier than `createdAt`.
   */
  placedAt?: Date
}

export type Segment = Pick<Grant, 'source' | 'startsAt' | 'endsAt'>

/** Returns the time of a change: after all others, even when clocks differ, because `segmentsOf` uses this order. */
export function timeOfChange(grants: readonly Grant[], now: Date): Date {
  const latest = Math.max(0, ...grants.map(({ createdAt }) => createdAt.getTime()))
  return new Date(Math.max(now.getTime(), latest + 1))
}

/** Places a segment of `lengthMs` after the existing ones, so that adding never shortens premium. */
export function nextSegment(
  grants: readonly Grant[],
  now: Date,
  lengthMs: number,
): Pick<Grant, 'startsAt' | 'endsAt' | 'afterStore'> {
  const paidUntil = expiryOf(grants)
  const startsAt = paidUntil && paidUntil > now ? paidUntil : now
  const storeEnd = storeEndOf(grants)
  return {
    startsAt,
    endsAt: new Date(startsAt.getTime() + lengthMs),
    ...following(grants, storeEnd > now.getTime() ? storeEnd : 0),
  }
}

/**
 * Places the rest of a removed grant, `lengthMs`, where that grant would be: after grants that have begun and before grants
 * that still wait for a store. It therefore runs in parallel with a store again if it did before.
 */
export function resumedSegment(
  grants: readonly Grant[],
  removed: Grant,
  now: Date,
  lengthMs: number,
): Pick<Grant, 'startsAt' | 'endsAt' | 'afterStore' | 'placedAt'> {
  const begun = placedIn(grants)
    .filter(({ grant, startsAt }) => grant.kind !== 'store' && startsAt <= now)
    .map(({ grant }) => grant)
  const placedAt = new Date(Math.max(...[removed, ...begun].map(placeOf)))
  const endsAt = new Date(now.getTime() + lengthMs)
  return { startsAt: now, endsAt, placedAt, ...following([removed, ...begun], 0) }
}

/** The start is never before the end that an earlier grant follows, because removing that grant must cost its own length only. A removed grant may return. */
function following(earlier: readonly Grant[], storeEnd: number): Pick<Grant, 'afterStore'> {
  const afterStore = Math.max(storeEnd, ...earlier.map((grant) => grant.afterStore?.getTime() ?? 0))
  return afterStore > 0 ? { afterStore: new Date(afterStore) } : {}
}

const placeOf = ({ placedAt, createdAt }: Grant) => (placedAt ?? createdAt).getTime()

/**
 * Returns the segment of each grant that was not removed. In the order of granting, or of `placedAt`, a grant of fixed length
 * begins when it was granted, when the previous one ends, or when the store's subscription of that time ends. Removing one
 * moves later ones forward with their full length. A store's subscription runs in parallel.
 */
export const segmentsOf = (grants: readonly Grant[]): Segment[] =>
  placedIn(grants).map(({ grant, startsAt, endsAt }) => ({ source: grant.source, startsAt, endsAt }))

function placedIn(grants: readonly Grant[]): { grant: Grant; startsAt: Date; endsAt: Date }[] {
  const storeEnd = storeEndOf(grants)
  const kept = grants
    .filter((grant) => grant.removedAt === null)
    .sort(
      (left, right) => placeOf(left) - placeOf(right) || left.createdAt.getTime() - right.createdAt.getTime(),
    )
  let end = 0
  return kept.map((grant) => {
    const { startsAt, endsAt, createdAt, afterStore } = grant
    if (grant.kind === 'store') return { grant, startsAt, endsAt }
    const followed = Math.min(afterStore?.getTime() ?? 0, storeEnd)
    const start = Math.max(createdAt.getTime(), end, followed)
    end = start + endsAt.getTime() - startsAt.getTime()
    return { grant, startsAt: new Date(start), endsAt: new Date(end) }
  })
}

/** The remaining milliseconds of all segments, each counted by itself, even in parallel with a store's subscription. */
export const totalLeftMs = (grants: readonly Grant[], now: Date): number =>
  segmentsOf(grants)
    .map(({ startsAt, endsAt }) => endsAt.getTime() - Math.max(startsAt.getTime(), now.getTime()))
    .reduce((sum, leftMs) => sum + Math.max(0, leftMs), 0)

/** The end of premium by all grants that were not removed; null without any. */
export function expiryOf(grants: readonly Grant[]): Date | null {
  const ends = segmentsOf(grants).map(({ endsAt }) => endsAt.getTime())
  return ends.length === 0 ? null : new Date(Math.max(...ends))
}

/** The latest end of a store's subscription; 0 without any. */
function storeEndOf(grants: readonly Grant[]): number {
  const stores = grants.filter(({ kind, removedAt }) => kind === 'store' && removedAt === null)
  return Math.max(0, ...stores.map(({ endsAt }) => endsAt.getTime()))
}

/** The entitlement that results from a ledger at a point in time. */
export function toEntitlement(
  userId: string,
  grants: readonly Grant[],
  version: number,
  now: Date,
): Entitlement {
  const expiry = expiryOf(grants)
  const isPremium = expiry !== null && expiry > now
  return {
    userId,
    subscriptionType: isPremium ? 'premium' : 'free',
    subscriptionExpiresAt: expiry?.toISOString() ?? null,
    version,
  }
}
