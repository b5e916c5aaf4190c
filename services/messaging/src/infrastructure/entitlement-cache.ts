import { createLru } from '@sumlock/service-kit/lru'
import type { Standing } from '../domain/entitlement.ts'

export interface EntitlementCache {
  /** When the premium of each person ends (null: none), or `gone`, in the order asked for, at most a second old. */
  premiumUntil(userIds: readonly string[]): Promise<Standing[]>
  drop(userId: string): void
}

const freshMs = 1000
const capacity = 20_000

/** Remembers the projection for a second; the expiry itself is compared at every use. */
export function createEntitlementCache(
  read: (userIds: readonly string[]) => Promise<ReadonlyMap<string, Standing>>,
  nowMs: () => number,
): EntitlementCache {
  const entries = createLru<string, { until: Standing; readAtMs: number }>(capacity)
  let drops = 0
  return {
    async premiumUntil(userIds) {
      const readAtMs = nowMs()
      const untilOf = new Map<string, Standing>()
      for (const userId of userIds) {
        const entry = entries.get(userId)
        if (entry && readAtMs - entry.readAtMs < freshMs) untilOf.set(userId, entry.until)
      }
      const missing = userIds.filter((userId) => !untilOf.has(userId))
      if (missing.length > 0) {
        const dropsBefore = drops
        const found = await read(missing)
        for (const userId of missing) {
          const until = found.get(userId) ?? null
          untilOf.set(userId, until)
          // A change that arrived during the read may be newer than its result.
          if (drops === dropsBefore) entries.set(userId, { until, readAtMs })
        }
      }
      return userIds.map((userId) => untilOf.get(userId) ?? null)
    },
    drop(userId) {
      drops += 1
      entries.delete(userId)
    },
  }
}
