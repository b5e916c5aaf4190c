import { createLru } from '@sumlock/service-kit/lru'
import type { Standing } from '../domain/entitlement.ts'

export interface EntitlementCache {
  /** In the order asked for, at most a second old. */
  standingsOf(userIds: readonly string[]): Promise<Standing[]>
  drop(userId: string): void
}

const freshMs = 1000
const capacity = 20_000
const none: Standing = { premiumUntil: null }

/** Remembers the projection for a second; the expiry itself is compared at every use. */
export function createEntitlementCache(
  read: (userIds: readonly string[]) => Promise<ReadonlyMap<string, Standing>>,
  nowMs: () => number,
): EntitlementCache {
  const entries = createLru<string, { standing: Standing; readAtMs: number }>(capacity)
  let drops = 0
  return {
    async standingsOf(userIds) {
      const readAtMs = nowMs()
      const standingOf = new Map<string, Standing>()
      for (const userId of userIds) {
        const entry = entries.get(userId)
        if (entry && readAtMs - entry.readAtMs < freshMs) standingOf.set(userId, entry.standing)
      }
      const missing = userIds.filter((userId) => !standingOf.has(userId))
      if (missing.length > 0) {
        const dropsBefore = drops
        const found = await read(missing)
        for (const userId of missing) {
          const standing = found.get(userId) ?? none
          standingOf.set(userId, standing)
          // A change that arrived during the read may be newer than its result.
          if (drops === dropsBefore) entries.set(userId, { standing, readAtMs })
        }
      }
      return userIds.map((userId) => standingOf.get(userId) ?? none)
    },
    drop(userId) {
      drops += 1
      entries.delete(userId)
    },
  }
}
