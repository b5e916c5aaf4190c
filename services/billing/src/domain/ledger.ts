import type { Entitlement } from '@sumlock/contracts/internal-routes'

export const dayMs = 86_400_000
/** A year of premium is 365 times 24 hours, whatever the calendar says. */
export const yearMs = 365 * dayMs

export type GrantSource = 'direct' | 'store' | 'gift' | 'code' | 'promo' | 'admin'

/** A segment of premium. Segments are only ever added; one that was refunded stays, marked. */
export interface Grant {
  _id: string
  userId: string
  source: GrantSource
  startsAt: Date
  endsAt: Date
  createdAt: Date
  removedAt: Date | null
}

/** Where a segment of `lengthMs` goes: after what is there already, so that adding never shortens. */
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
 * When premium ends by everything that was granted and not removed; null when there is nothing. In the order of granting,
 * each begins when it was granted or when the one before it ends. Removing a segment moves those behind it forward: they
 * keep their length, and no gap remains.
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

/** What a ledger folds to at an instant. */
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
