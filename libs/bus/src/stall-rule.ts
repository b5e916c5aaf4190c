export interface PartitionProgress {
  /** Topic and partition, for people. */
  name: string
  /** What is taken next, and where the partition ends. */
  position: number
  end: number
  /** Paused until the next try, because a dependency is unavailable. */
  isPaused: boolean
  /** How often something ended with "not now" there: trying is progress, too. */
  tries: number
}

export interface StallRule {
  /** The names of partitions that have had something to take and took nothing for `stallMs`. */
  look(nowMs: number, partitions: readonly PartitionProgress[]): string[]
  /** Nothing is known (Kafka did not answer): begin anew. */
  forget(): void
}

interface Idle {
  position: number
  tries: number
  sinceMs: number
}

/** When a consumer counts as stalled. */
export function createStallRule(stallMs: number): StallRule {
  let idle = new Map<string, Idle>()
  return {
    look(nowMs, partitions) {
      const now = new Map<string, Idle>()
      for (const { name, position, end, isPaused, tries } of partitions) {
        if (isPaused || position >= end) continue
        const before = idle.get(name)
        const isSame = before?.position === position && before.tries === tries
        now.set(name, isSame ? before : { position, tries, sinceMs: nowMs })
      }
      idle = now
      return [...idle].filter(([, { sinceMs }]) => nowMs - sinceMs >= stallMs).map(([name]) => name)
    },
    forget: () => idle.clear(),
  }
}
