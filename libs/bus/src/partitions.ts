import { createPauses } from './pauses.ts'

export interface Partitions {
  /** Records that the group gave these partitions (`topic/number`) to this consumer. */
  assign(names: readonly string[]): void
  /** Records that the consumer left its group. */
  lose(): void
  /** Records that all events up to `offset` were handled. */
  advance(name: string, offset: number): void
  /**
   * Counts the partition as paused and calls `resume` after a delay, which doubles with each consecutive pause. Returns the
   * delay in ms.
   */
  pause(name: string, resume: () => void): number
  /** Returns whether the partition is assigned to this consumer; true for all partitions while the consumer belongs to no group. */
  owns(name: string): boolean
  /** Returns the offset that is consumed next; undefined before the first event. */
  positionOf(name: string): number | undefined
  isPaused(name: string): boolean
  /** Returns the number of pauses of the partition so far. */
  pausesOf(name: string): number
  clear(): void
}

/** Keeps the assignment, the positions and the pauses of a consumer's partitions. */
export function createPartitions(): Partitions {
  const pauses = createPauses()
  const positions = new Map<string, number>()
  let assigned: ReadonlySet<string> | undefined
  return {
    assign(names) {
      assigned = new Set(names)
      // The old positions may be wrong: another member may have committed later offsets, or failed before it committed these.
      positions.clear()
    },
    lose: () => (assigned = undefined),
    advance(name, offset) {
      pauses.shorten(name)
      positions.set(name, offset + 1)
    },
    pause: pauses.add,
    owns: (name) => assigned?.has(name) ?? true,
    positionOf: (name) => positions.get(name),
    isPaused: pauses.has,
    pausesOf: pauses.count,
    clear: pauses.clear,
  }
}
