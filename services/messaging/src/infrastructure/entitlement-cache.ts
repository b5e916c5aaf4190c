import { createLru } from '@sumlock/service-kit/lru'
import type { Standing } from '../domain/entitlement.ts'

export interface EntitlementCache {
  /** In the order asked for, at most a second old. */
  standingsOf(userIds: readonly string[]): Promise<Standing[]>
  drop(userId: string): void
}

export interface EntitlementCacheOptions {
  read: (userIds: readonly string[]) => Promise<ReadonlyMap<string, Standing>>
  /** The people whose standings have changed since the call before, and perhaps more. */
  changes: () => Promise<readonly string[]>
  nowMs: () => number
}

const freshMs = 1000
/** With the changes known. A replica of the last release, which dates no change, ends its part in an update within that. */
const rememberedMs = 10_000
const capacity = 20_000
const none: Standing = { premiumUntil: null }

/**
 * Remembers the projection, and asks once a second for all who have changed, instead of each person; the expiry itself is
 * compared at every use.
 */
export function createEntitlementCache({ read, changes, nowMs }: EntitlementCacheOptions): EntitlementCache {
  const entries = createLru<string, { standing: Standing; readAtMs: number }>(capacity)
  let drops = 0
  let followedAtMs = -Infinity
  let following: Promise<void> | undefined

  const drop = (userId: string) => {
    drops += 1
    entries.delete(userId)
  }
  const follow = async (): Promise<void> => {
    const askedAtMs = nowMs()
    if (askedAtMs - followedAtMs < freshMs) return
    following ??= changes()
      .then((userIds) => {
        userIds.forEach(drop)
        followedAtMs = askedAtMs
      })
      // What is remembered is then at most a second old.
      .catch(() => undefined)
      .finally(() => (following = undefined))
    await following
  }

  return {
    async standingsOf(userIds) {
      await follow()
      const readAtMs = nowMs()
      const usableMs = readAtMs - followedAtMs < freshMs ? rememberedMs : freshMs
      const standingOf = new Map<string, Standing>()
      for (const userId of userIds) {
        const entry = entries.get(userId)
        if (entry && readAtMs - entry.readAtMs < usableMs) standingOf.set(userId, entry.standing)
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
    drop,
  }
}
