/** Numbers the exchanges and decides which of them started before their session was forgotten. */
export function createExchangeHistory() {
  /** The numbers of all exchanges without an answer, ascending. */
  const running = new Set<number>()
  /** Sessions forgotten while their cookie was unknown, with the last exchange started before that, ascending. */
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
    /** The number of forgotten sessions that are still listed. */
    forgotten: () => forgottenAfter.size,
    forget(sid: string) {
      if (running.size === 0) return
      // Moves the entry to the end: the map stays ordered by number.
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
