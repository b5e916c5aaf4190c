import type { Percentiles } from '../../testing/bench/percentiles.ts'

/** What a scenario writes down at its end; see load/lib/figures.js. */
export interface Figures {
  seconds: number
  counters: Record<string, number>
  trends: Record<string, Percentiles & { count: number }>
  checks: { name: string; passes: number; fails: number }[]
  /** The thresholds that did not hold. */
  broken: string[]
}

/** One of our counters; a scenario that does not count it has 0 of it. */
export const counted = ({ counters }: Figures, name: string): number => counters[name] ?? 0
