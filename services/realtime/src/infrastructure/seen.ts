import { createLru } from '@sumlock/service-kit/lru'

/** Remembers the last `capacity` ids, so that a message from a hint is not delivered again by its event. */
export interface Seen {
  /** True for an id that was not seen before. */
  isNew(id: string): boolean
}

export function createSeen(capacity = 20_000): Seen {
  const ids = createLru<string, true>(capacity)
  return {
    isNew(id) {
      if (ids.has(id)) return false
      ids.set(id, true)
      return true
    },
  }
}
