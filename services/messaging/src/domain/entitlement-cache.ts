import type { Entitlement } from '@sumlock/contracts/internal-routes'

export type PremiumUntil = Date | null

export interface EntitlementCache {
  /** When the person's premium ends (null: none), at most a second old. */
  premiumUntil(userId: string): Promise<PremiumUntil>
  drop(userId: string): void
}

const freshMs = 1000
const capacity = 20_000

/** Premium means type premium and an expiry still to come. */
export const premiumUntilOf = ({
  subscriptionType,
  subscriptionExpiresAt,
}: Pick<Entitlement, 'subscriptionType' | 'subscriptionExpiresAt'>): PremiumUntil =>
  subscriptionType === 'premium' && subscriptionExpiresAt ? new Date(subscriptionExpiresAt) : null

/** Remembers the projection for a second; the expiry itself is compared at every use. */
export function createEntitlementCache(
  read: (userId: string) => Promise<PremiumUntil>,
  nowMs: () => number,
): EntitlementCache {
  const entries = new Map<string, { until: PremiumUntil; readAtMs: number }>()
  return {
    async premiumUntil(userId) {
      const entry = entries.get(userId)
      if (entry && nowMs() - entry.readAtMs < freshMs) return entry.until
      const readAtMs = nowMs()
      const until = await read(userId)
      if (entries.size >= capacity) entries.clear()
      entries.set(userId, { until, readAtMs })
      return until
    },
    drop: (userId) => void entries.delete(userId),
  }
}
