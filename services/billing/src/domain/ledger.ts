import type { Entitlement } from '@sumlock/contracts/internal-routes'

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
}

/** Places a segment of `lengthMs` after the existing ones, so that adding never shortens premium. */
export function nextSegment(
  grants: readonly Grant[],
  now: Date,
  lengthMs: number,
): { startsAt: Date; endsAt: Date } {
  const paidUntil = expiryOf(grants)
  const startsAt = paidUntil && paidUntil > now ? paidUntil : now
  return { startsAt, endsAt: new Date(startsAt.getTime() + lengthMs) }
}

/**
 * The end of premium by all grants that were not removed; null without any. In the order of granting, each segment begins
 * when it was granted or when the one before it ends. Removing a segment moves later ones forward: they keep their length.
 */
export function expiryOf(grants: readonly Grant[]): Date | null {
  const kept = grants
    .filter((grant) => grant.removedAt === null)
    .sort((left, right) => left.createdAt.getTime() - right.createdAt.getTime())
  let end: number | null = null
  for (const grant of kept) {
    const length = grant.endsAt.getTime() - grant.startsAt.getTime()
    const start = Math.max(grant.createdAt.getTime(), end ?? 0)
    end = start + length
  }
  return end === null ? null : new Date(end)
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
