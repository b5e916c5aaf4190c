export interface PartitionProgress {
  /** `topic/partition`. */
  name: string
  /** The next offset to consume, and the end of the partition. */
  position: number
  end: number
  /** Whether the partition waits for the next attempt, because a dependency is unavailable. */
  isPaused: boolean
  /** Number of pauses so far; a failed attempt is progress, too. */
  pauses: number
}

export interface StallRule {
  /** The names of partitions with pending records of which none was consumed for `stallMs`. */
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
