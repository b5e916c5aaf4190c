/** The working time of a consumer's handlers. */
export interface HandlerTime {
  /** Runs a handler and counts its time. */
  measure<T>(this: void, handle: () => Promise<T>): Promise<T>
  /** The time in which no handler was running, ms; it stands still while one runs. */
  idleMs(): number
  /** The age of the oldest running handler, ms; 0 without one. */
  runningMs(): number
}

/** `nowMs` must never go back. */
export function createHandlerTime(nowMs: () => number = () => performance.now()): HandlerTime {
  /** The start of each running handler. After a rebalance, an old one may still run in parallel with a new one. */
  const begun = new Set<{ atMs: number }>()
  let busyMs = 0
  let busySinceMs = 0
  return {
    async measure(handle) {
      const own = { atMs: nowMs() }
      if (begun.size === 0) busySinceMs = own.atMs
      begun.add(own)
      try {
        return await handle()
      } finally {
        begun.delete(own)
        if (begun.size === 0) busyMs += nowMs() - busySinceMs
      }
    },
    idleMs: () => (begun.size === 0 ? nowMs() : busySinceMs) - busyMs,
    runningMs() {
      const [oldest] = begun
      return oldest ? nowMs() - oldest.atMs : 0
    },
  }
}
