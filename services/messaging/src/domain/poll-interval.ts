const leastMs = 3000
const jitterMs = 1000
/** Above this number of polls a second in one process the interval grows. */
const easyRate = 100
/** With this factor, the longest interval is 30 s. */
const longestFactor = 30_000 / (leastMs + jitterMs)
/** The rate is measured over about this time. */
const windowMs = 5000

/**
 * Returns the milliseconds until the next poll: 3 to 4 s and, beyond 100 polls a second, longer in proportion to their
 * rate, up to 30 s. `chance` is a random number from 0 to 1.
 */
export const pollIntervalMs = (pollsPerSecond: number, chance: number): number =>
  Math.round((leastMs + jitterMs * chance) * Math.min(longestFactor, Math.max(1, pollsPerSecond / easyRate)))

/** The returned function counts one poll and returns the milliseconds after which the same client should poll again. */
export function createPollInterval(nowMs: () => number, random: () => number): () => number {
  let rate = 0
  let countedAtMs = 0
  return () => {
    const atMs = nowMs()
    rate = rate * Math.exp((countedAtMs - atMs) / windowMs) + 1000 / windowMs
    countedAtMs = atMs
    return pollIntervalMs(rate, random())
  }
}
