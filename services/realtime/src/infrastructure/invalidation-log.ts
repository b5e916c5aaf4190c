export interface InvalidationLog {
  /** Read the position before a call to auth about a session, and pass it to `changedSince` afterwards. */
  position(): number
  /** Records that the session changed, so that answers to earlier calls about it count as outdated. */
  add(sid: string): void
  /** Records that any session may have changed. */
  addAll(): void
  /** Returns whether the session was added since `position`, or may have been, because its entry was evicted. */
  changedSince(sid: string, position: number): boolean
}

/**
 * Keeps the last `capacity` invalidated sessions. Each has a number instead of a time, because numbers give their exact
 * order.
 */
export function createInvalidationLog(capacity = 20_000): InvalidationLog {
  const numbers = new Map<string, number>()
  let last = 0
  /** Entries up to this number may have been evicted, so any session may have changed since an earlier position. */
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
