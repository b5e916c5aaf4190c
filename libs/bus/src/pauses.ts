export interface Pauses {
  /** Calls `resume` after a delay that doubles with each consecutive pause; returns the delay in ms. */
  add(name: string, resume: () => void): number
  /** Resets the delay after a success. */
  shorten(name: string): void
  has(name: string): boolean
  /** Returns the number of pauses so far. */
  count(name: string): number
  /** Cancels all pauses without resuming. */
  clear(): void
}

const firstMs = 200
const maxMs = 5000

/** Keeps the pauses of partitions that wait for a dependency, with exponential back-off. */
export function createPauses(): Pauses {
  const delays = new Map<string, number>()
  const counts = new Map<string, number>()
  const timers = new Map<string, NodeJS.Timeout>()
  return {
    add(name, resume) {
      const delayMs = Math.min((delays.get(name) ?? firstMs / 2) * 2, maxMs)
      delays.set(name, delayMs)
      counts.set(name, (counts.get(name) ?? 0) + 1)
      clearTimeout(timers.get(name))
      timers.set(
        name,
        setTimeout(() => {
          timers.delete(name)
          resume()
        }, delayMs),
      )
      return delayMs
    },
    shorten: (name) => delays.delete(name),
    has: (name) => timers.has(name),
    count: (name) => counts.get(name) ?? 0,
    clear() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
