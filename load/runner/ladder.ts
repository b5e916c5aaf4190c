import type { Usage } from '../../testing/bench/process-usage.ts'
import { counted } from './figures.ts'
import type { Figures } from './figures.ts'

/** The ladder ends where one in a hundred waits longer. */
export const tooSlowMs = 200

export interface Step {
  ratePerSecond: number
  figures: Figures
  usage: readonly Usage[]
}

/** Nothing lost, doubled, missing or changed: what decides whether the product is right. */
export const isExact = ({ figures }: Step): boolean =>
  counted(figures, 'accepted') > 0 &&
  ['unstored', 'unstored_prints', 'undelivered', 'undelivered_prints', 'doubled', 'gaps', 'altered'].every(
    (name) => counted(figures, name) === 0,
  )

/** The slower of both ways; NaN when nothing was measured. */
export const p99Of = ({ figures: { trends } }: Step): number =>
  Math.max(trends['to_answer']?.p99 ?? NaN, trends['to_socket']?.p99 ?? NaN)

/** Every send that was due was sent and accepted at once, and no socket was lost. */
export const isWhole = ({ figures }: Step): boolean =>
  [
    ...['dropped_iterations', 'refused', 'unanswered', 'retried'],
    ...['sockets_lost', 'sockets_refused', 'sockets_missing'],
  ].every((name) => counted(figures, name) === 0)

export const holds = (step: Step): boolean => isExact(step) && isWhole(step) && p99Of(step) < tooSlowMs

/** Climbs until a step does not hold. */
export async function climb(
  rates: readonly number[],
  take: (ratePerSecond: number) => Promise<Step>,
): Promise<Step[]> {
  const steps: Step[] = []
  for (const rate of rates) {
    const step = await take(rate)
    steps.push(step)
    if (!holds(step)) break
  }
  return steps
}

/** The highest rate that held; null when not even the first did. */
export const highest = (steps: readonly Step[]): number | null => steps.findLast(holds)?.ratePerSecond ?? null
