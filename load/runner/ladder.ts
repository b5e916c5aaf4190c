import type { Figures } from './k6.ts'
import { counted } from './report.ts'
import type { Step } from './report.ts'

/** Sends per second of each step. */
export const ladderRates = {
  full: [100, 200, 300, 500, 750, 1000, 1250, 1500, 1750, 2000],
  small: [20, 50],
} as const

/** The ladder ends where one in a hundred waits longer. */
const tooSlowMs = 200

const losses = [
  'unstored',
  'unstored_prints',
  'undelivered',
  'undelivered_prints',
  'doubled',
  'gaps',
  'altered',
]

/** Every accepted message was stored and delivered once, in order and unchanged. */
export const isExact = (figures: Figures): boolean =>
  counted(figures, 'accepted') > 0 && losses.every((name) => counted(figures, name) === 0)

/** The slower of both ways; NaN when nothing was measured. */
export const p99Of = ({ metrics }: Figures): number =>
  Math.max(metrics['to_answer']?.['p(99)'] ?? NaN, metrics['to_socket']?.['p(99)'] ?? NaN)

/** Climbs until a step does not hold: a threshold broke, or p99 reached 200 ms. Returns how many held, too. */
export async function climb(
  rates: readonly number[],
  take: (ratePerSecond: number) => Promise<Step>,
): Promise<{ steps: Step[]; highest: number | null }> {
  const steps: Step[] = []
  let highest: number | null = null
  for (const rate of rates) {
    const step = await take(rate)
    steps.push(step)
    if (!step.figures.held || !(p99Of(step.figures) < tooSlowMs)) break
    highest = rate
  }
  return { steps, highest }
}
