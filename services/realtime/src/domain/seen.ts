/** Remembers the last `capacity` ids, so that what a hint brought is not brought again by the event. */
export interface Seen {
  /** True the first time an id is shown. */
  isNew(id: string): boolean
}

export function createSeen(capacity = 20_000): Seen {
  const ids = new Set<string>()
  return {
    isNew(id) {
      if (ids.has(id)) return false
      ids.add(id)
      if (ids.size > capacity) ids.delete(ids.values().next().value as string)
      return true
    },
  }
}
