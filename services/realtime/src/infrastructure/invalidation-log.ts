export interface InvalidationLog {
  /** Read this before asking auth about a session. */
  position(): number
  /** Records that the session changed: earlier answers about it are out of date. */
  add(sid: string): void
  /** Records that any session may have changed. */
  addAll(): void
  /** Whether the session was added since `position`, or may have been. */
  changedSince(sid: string, position: number): boolean
}

/** Remembers the last `capacity` sessions that were invalidated, by number instead of by time. */
export function createInvalidationLog(capacity = 20_000): InvalidationLog {
  const numbers = new Map<string, number>()
  let last = 0
  /** Additions up to this number have been evicted. */
  let forgotten = 0
  return {
    position: () => last,
    add(sid) {
      numbers.delete(sid)
      numbers.set(sid, (last += 1))
      if (numbers.size <= capacity) return
      const [oldest, number] = numbers.entries().next().value as [string, number]
      numbers.delete(oldest)
      forgotten = number
    },
    addAll() {
      numbers.clear()
      forgotten = last += 1
    },
    changedSince: (sid, position) => forgotten > position || (numbers.get(sid) ?? 0) > position,
  }
}
