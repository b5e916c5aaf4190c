/** Measures how long the handlers of a consumer work. */
export interface HandlerTime {
  /** Runs a handler and counts its time. */
  measure<T>(this: void, handle: () => Promise<T>): Promise<T>
  /** Returns the ms in which no handler was running so far. The value stands still while a handler runs. */
  idleMs(): number
  /** Returns the ms since the oldest running handler started; 0 while none runs. */
  runningMs(): number
}

/** Creates the measurement. `nowMs` returns ms and must never go back. */
export function createHandlerTime(nowMs: () => number = () => performance.now()): HandlerTime {
  /** Contains the start of each running handler. There may be several, because an old one may still run after a rebalance. */
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
