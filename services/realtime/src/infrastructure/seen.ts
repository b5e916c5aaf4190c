import { createLru } from '@sumlock/service-kit/lru'

/** Remembers the last `capacity` ids, so that what a hint brought is not brought again by the event. */
export interface Seen {
  /** True the first time an id is shown. */
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
