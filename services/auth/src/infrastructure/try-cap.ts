export interface TryCap {
  /** Runs the work; resolves with null, without running it, while the session has too many tries in this process. */
  run<T>(sessionId: string, work: () => Promise<T>): Promise<T | null>
}

/** Limits how many tries of one session wait at once, so that a flood of guesses costs no database work. */
export function createTryCap(perSession = 8): TryCap {
  const running = new Map<string, number>()
  return {
    async run(sessionId, work) {
      const count = running.get(sessionId) ?? 0
      if (count >= perSession) return null
      running.set(sessionId, count + 1)
      try {
        return await work()
      } finally {
        const left = (running.get(sessionId) ?? 1) - 1
        if (left === 0) running.delete(sessionId)
        else running.set(sessionId, left)
      }
    },
  }
}
