import { LRUCache } from 'lru-cache'

export type Lru<K extends string, V extends NonNullable<unknown>> = LRUCache<K, V>

/**
 * Returns a map that evicts the least recently used entry once it holds `capacity` entries. `get` and `set` count as
 * a use, `has` and `peek` do not. `onRemoved` receives every value that is evicted, deleted or replaced.
 */
export const createLru = <K extends string, V extends NonNullable<unknown>>(
  capacity: number,
  onRemoved?: (value: V) => void,
): Lru<K, V> =>
  new LRUCache<K, V>({
    max: capacity,
    ...(onRemoved ? { dispose: onRemoved } : {}),
  })
