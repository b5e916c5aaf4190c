export interface Pauses {
  /** Ends the pause after a time that doubles with each one in a row; answers with that time, ms. */
  add(name: string, resume: () => void): number
  /** Something went well there: the next pause is a short one again. */
  shorten(name: string): void
  has(name: string): boolean
  /** How many there were. */
  count(name: string): number
  /** Ends all of them without resuming anything. */
  clear(): void
}

const firstMs = 200
const maxMs = 5000

/** Partitions that wait for a dependency, with back-off. */
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
