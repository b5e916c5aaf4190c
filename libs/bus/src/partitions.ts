import { createPauses } from './pauses.ts'

export interface Partitions {
  /** The group gave these partitions (`topic/number`) to this consumer. */
  assign(names: readonly string[]): void
  /** The consumer left its group. */
  lose(): void
  /** All events up to `offset` were handled. */
  advance(name: string, offset: number): void
  /** Pauses the partition with back-off until `resume` is called; returns the delay, ms. */
  pause(name: string, resume: () => void): number
  /** True for all partitions while the consumer belongs to no group. */
  owns(name: string): boolean
  /** The offset that is taken next; undefined before the first event. */
  positionOf(name: string): number | undefined
  isPaused(name: string): boolean
  /** The number of pauses of the partition so far. */
  pausesOf(name: string): number
  clear(): void
}

/** The partitions of a consumer: assignment, positions and pauses. */
export function createPartitions(): Partitions {
  const pauses = createPauses()
  const positions = new Map<string, number>()
  let assigned: ReadonlySet<string> | undefined
  return {
    assign(names) {
      assigned = new Set(names)
      // Another member may have committed later offsets, or failed before it committed these.
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
