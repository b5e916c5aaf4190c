const stepMs = 30_000

/** Creates a timer that all time-dependent texts on the screen share, such as "5 min". */
export function createMinutes(clock: () => number) {
  const listeners = new Set<() => void>()
  let timer: number | undefined
  let nowMs = clock()
  const tick = () => {
    nowMs = clock()
    for (const listener of listeners) listener()
  }
  return {
    nowMs: (): number => nowMs,
    subscribe: (listener: () => void): (() => void) => {
      if (listeners.size === 0) {
        nowMs = clock()
        timer = window.setInterval(tick, stepMs)
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) window.clearInterval(timer)
      }
    },
  }
}

export type Minutes = ReturnType<typeof createMinutes>
