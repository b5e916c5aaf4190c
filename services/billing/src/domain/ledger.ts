import type { Entitlement } from '@sumlock/contracts/internal-routes'
import type { EndReason } from './payment.ts'

export const dayMs = 86_400_000
/** A year of premium is 365 times 24 hours, also in a leap year. */
export const yearMs = 365 * dayMs

export type GrantSource = 'direct' | 'store' | 'gift' | 'code' | 'promo' | 'admin'

/** A grant is one segment of premium. Grants are never deleted; a refunded one is marked with `removedAt`. */
export interface Grant {
  _id: string
  userId: string
  source: GrantSource
  startsAt: Date
  endsAt: Date
  createdAt: Date
  removedAt: Date | null
  /**
   * States why the grant was removed. The field is deleted when a dispute is won, because another grant then returns the
   * remaining time.
   */
  removedFor?: EndReason
  /**
   * A grant of the kind `store` is a store's subscription: its `endsAt` moves with each renewal, grace period and refund.
   * Without a kind, the length is fixed.
   */
  kind?: 'store'
  /** True for a store's subscription that a reviewer or tester got without paying. */
  isSandbox?: boolean
  /**
   * Only a grant of fixed length has this: the latest end of a store's subscription behind which this grant, or an earlier
   * one, was placed.
   */
  afterStore?: Date
  /**
   * Only a grant that returns time after a won dispute has this: the grant is ordered as if it had been given at this time,
   * but begins no earlier than `createdAt`.
   */
  placedAt?: Date
}

export type Segment = Pick<Grant, 'source' | 'startsAt' | 'endsAt'>

/**
 * Returns a time for a change that is later than all existing grants, even when clocks differ, because `segmentsOf` orders
 * grants by time.
 */
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
 * Places `lengthMs`, the remaining time of a removed grant, where that grant would be: after grants that have begun, and
 * before grants that wait for the end of a store's subscription. If the removed grant ran in parallel with a subscription,
 * so does the remaining time.
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

/**
 * A grant starts no earlier than the store end that an earlier grant follows, so that removing the earlier grant costs only
 * its own length. Removed grants count as well, because they may return.
 */
function following(earlier: readonly Grant[], storeEnd: number): Pick<Grant, 'afterStore'> {
  const afterStore = Math.max(storeEnd, ...earlier.map((grant) => grant.afterStore?.getTime() ?? 0))
  return afterStore > 0 ? { afterStore: new Date(afterStore) } : {}
}

const placeOf = ({ placedAt, createdAt }: Grant) => (placedAt ?? createdAt).getTime()

/**
 * Returns the segments of all grants that were not removed. Grants of fixed length follow each other in the order of
 * `placedAt` or `createdAt`. Each begins when it was granted, when the previous one ends, or when the store's subscription
 * in `afterStore` ends, whichever is last. If a grant is removed, later grants start earlier and keep their full length. A
 * store's subscription runs in parallel.
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

/**
 * Returns the remaining milliseconds of all segments. Segments that run in parallel with a store's subscription count in
 * full.
 */
export const totalLeftMs = (grants: readonly Grant[], now: Date): number =>
  segmentsOf(grants)
    .map(({ startsAt, endsAt }) => endsAt.getTime() - Math.max(startsAt.getTime(), now.getTime()))
    .reduce((sum, leftMs) => sum + Math.max(0, leftMs), 0)

/** Returns when the last of the grants that were not removed ends; null without such a grant. */
export function expiryOf(grants: readonly Grant[]): Date | null {
  const ends = segmentsOf(grants).map(({ endsAt }) => endsAt.getTime())
  return ends.length === 0 ? null : new Date(Math.max(...ends))
}

/** Returns the latest end of a store's subscription, in milliseconds since the epoch; 0 without one. */
function storeEndOf(grants: readonly Grant[]): number {
  const stores = grants.filter(({ kind, removedAt }) => kind === 'store' && removedAt === null)
  return Math.max(0, ...stores.map(({ endsAt }) => endsAt.getTime()))
}

/** Returns the entitlement that results from a ledger at the time `now`. */
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
