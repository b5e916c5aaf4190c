import type { AccountStatus } from '../domain/entitlement.ts'
import { createFollowedCache } from './followed-cache.ts'
import type { FollowedCacheOptions } from './followed-cache.ts'

export interface EntitlementCache {
  /** Returns the entitlements in the given order, at most a second old. */
  statusesOf(userIds: readonly string[]): Promise<AccountStatus[]>
  drop(userId: string): void
}

export type EntitlementCacheOptions = Omit<FollowedCacheOptions<AccountStatus>, 'capacity'>

const capacity = 20_000
const none: AccountStatus = { premiumUntil: null }

/**
 * Caches messaging's copy of entitlements. Each use compares `premiumUntil` with the clock, so an expiry needs no change in
 * the cache.
 */
export function createEntitlementCache({ read, ...options }: EntitlementCacheOptions): EntitlementCache {
  const cache = createFollowedCache<AccountStatus>({
    capacity,
    async read(userIds) {
      const found = await read(userIds)
      return new Map(userIds.map((userId) => [userId, found.get(userId) ?? none]))
    },
    ...options,
  })
  return {
    async statusesOf(userIds) {
      const statuses = await cache.get(userIds)
      return userIds.map((userId) => statuses.get(userId) ?? none)
    },
    drop: cache.drop,
  }
}
