export interface PartitionProgress {
  /** The name has the form `topic/partition`. */
  name: string
  /** The consumer takes the offset `position` next; the partition ends before the offset `end`. */
  position: number
  end: number
  /** The partition waits for its next attempt, because a dependency is unavailable. */
  isPaused: boolean
  /** The partition was paused this often so far. A failed attempt counts as progress. */
  pauses: number
}

export interface StallRule {
  /** Returns the names of partitions with pending records of which none was consumed for `stallMs`. */
  check(nowMs: number, partitions: readonly PartitionProgress[]): string[]
  /** Starts over, because Kafka did not answer and the progress is unknown. */
  forget(): void
}

interface Idle {
  position: number
  pauses: number
  sinceMs: number
}

/** Decides when a consumer counts as stalled. */
export function createStallRule(stallMs: number): StallRule {
  let idle = new Map<string, Idle>()
  return {
    check(nowMs, partitions) {
      const now = new Map<string, Idle>()
      for (const { name, position, end, isPaused, pauses } of partitions) {
        if (isPaused || position >= end) continue
        const before = idle.get(name)
        const isSame = before?.position === position && before.pauses === pauses
        now.set(name, isSame ? before : { position, pauses, sinceMs: nowMs })
      }
      idle = now
      return [...idle].filter(([, { sinceMs }]) => nowMs - sinceMs >= stallMs).map(([name]) => name)
    },
    forget: () => idle.clear(),
  }
}
