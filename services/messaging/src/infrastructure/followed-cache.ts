import { createLru } from '@sumlock/service-kit/lru'

export interface FollowedCache<V> {
  /** Returns the values by key, at most a second old. */
  get(keys: readonly string[]): Promise<ReadonlyMap<string, V>>
  drop(key: string): void
}

export interface FollowedCacheOptions<V> {
  capacity: number
  /** Keys without a value are not remembered. */
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>
  /** Returns at least the keys whose values have changed since the previous call. */
  changes: () => Promise<readonly string[] | 'all'>
  nowMs: () => number
}

const freshMs = 1000
/**
 * A value is remembered for this time while changes are followed. A deleted row is remembered for as long, because
 * `changes` does not list deletions.
 */
const rememberedMs = 10_000

/** Remembers rows and reads once a second which of them have changed. */
export function createFollowedCache<V extends NonNullable<unknown>>({
  capacity,
  read,
  changes,
  nowMs,
}: FollowedCacheOptions<V>): FollowedCache<V> {
  const entries = createLru<string, { value: V; readAtMs: number }>(capacity)
  let drops = 0
  let followedAtMs = -Infinity
  let following: Promise<void> | undefined

  const drop = (key: string) => {
    drops += 1
    entries.delete(key)
  }
  const follow = async (): Promise<void> => {
    const askedAtMs = nowMs()
    if (askedAtMs - followedAtMs < freshMs) return
    following ??= changes()
      .then((keys) => {
        drops += 1
        if (keys === 'all') entries.clear()
        else keys.forEach(drop)
        followedAtMs = askedAtMs
      })
      // After a failure, `get` uses only values that are at most a second old.
      .catch(() => undefined)
      .finally(() => (following = undefined))
    await following
  }

  return {
    async get(keys) {
      await follow()
      const readAtMs = nowMs()
      const usableMs = readAtMs - followedAtMs < freshMs ? rememberedMs : freshMs
      const values = new Map<string, V>()
      for (const key of keys) {
        const entry = entries.get(key)
        if (entry && readAtMs - entry.readAtMs < usableMs) values.set(key, entry.value)
      }
      const missing = keys.filter((key) => !values.has(key))
      if (missing.length === 0) return values
      const dropsBefore = drops
      for (const [key, value] of await read(missing)) {
        values.set(key, value)
        // A change that arrived during the read may be newer than the value that was read.
        if (drops === dropsBefore) entries.set(key, { value, readAtMs })
      }
      return values
    },
    drop,
  }
}
