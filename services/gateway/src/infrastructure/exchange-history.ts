/** Numbers the exchanges of cookies at auth, and decides which of them started before their session was forgotten. */
export function createExchangeHistory() {
  /** Contains the numbers of all exchanges without an answer, ascending. */
  const running = new Set<number>()
  /** Maps a session that was forgotten while its cookie was unknown to the last exchange that had started by then, ascending. */
  const forgottenAfter = new Map<string, number>()
  let resetAfter = 0
  let last = 0

  return {
    start(): number {
      last += 1
      running.add(last)
      return last
    },
    end(number: number) {
      running.delete(number)
      const [oldest = Infinity] = running
      for (const [sid, after] of forgottenAfter) {
        if (after >= oldest) break
        forgottenAfter.delete(sid)
      }
    },
    last: () => last,
    /** Returns the number of forgotten sessions that are still listed. */
    forgotten: () => forgottenAfter.size,
    forget(sid: string) {
      if (running.size === 0) return
      // The entry moves to the end, so that the map stays ordered by number.
      forgottenAfter.delete(sid)
      forgottenAfter.set(sid, last)
    },
    reset() {
      resetAfter = last
    },
    isBeforeReset: (number: number) => number <= resetAfter,
    isForgotten: (number: number, sid: string) =>
      number <= Math.max(resetAfter, forgottenAfter.get(sid) ?? 0),
  }
}
