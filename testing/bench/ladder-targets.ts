import { ms } from './markdown-table.ts'
import type { SendRun } from './measure-sends.ts'
import { memoryOfServices } from './send-tables.ts'

/** Whoever waits longer than this for a message notices: the ladder ends there. */
export const tooSlowMs = 200

export interface Target {
  what: string
  target: string
  measured: string
  met: boolean
}

type Step = Pick<SendRun, 'ratePerSecond' | 'toSocket' | 'toAnswer' | 'usage'>

/** The slower of both ways, at the 99th percentile. */
export const slowestP99 = ({ toAnswer, toSocket }: Pick<Step, 'toAnswer' | 'toSocket'>): number =>
  Math.max(toAnswer.p99, toSocket.p99)

const latencyTargets = [
  { ratePerSecond: 200, percentile: 'p50', atMostMs: 5 },
  { ratePerSecond: 200, percentile: 'p99', atMostMs: 15 },
  { ratePerSecond: 500, percentile: 'p99', atMostMs: 30 },
  { ratePerSecond: 1000, percentile: 'p99', atMostMs: 60 },
] as const
const topRateAtLeast = 1500
const memoryAtMostBytes = 800e6
const memoryAtRate = 200

/** What the design promises beside what was measured. A step that was not reached is a target not met. */
export function compareWithTargets(steps: readonly Step[]): Target[] {
  const at = (ratePerSecond: number) => steps.find((step) => step.ratePerSecond === ratePerSecond)
  const notReached = 'not reached'
  const latency = latencyTargets.map(({ ratePerSecond, percentile, atMostMs }) => {
    const step = at(ratePerSecond)
    const value = step ? Math.max(step.toSocket[percentile], step.toAnswer[percentile]) : NaN
    return {
      what: `${ratePerSecond}/s, ${percentile} (the slower of 201 and socket)`,
      target: `≤ ${atMostMs} ms`,
      measured: step ? `${ms(value)} ms` : notReached,
      met: value <= atMostMs,
    }
  })
  const top = steps
    .filter((step) => slowestP99(step) < tooSlowMs)
    .reduce((highest, { ratePerSecond }) => Math.max(highest, ratePerSecond), 0)
  const memory = at(memoryAtRate)
  const bytes = memory ? memoryOfServices(memory) : NaN
  return [
    ...latency,
    {
      what: `highest step with p99 < ${tooSlowMs} ms`,
      target: `≥ ${topRateAtLeast}/s`,
      measured: top > 0 ? `${top}/s` : 'none',
      met: top >= topRateAtLeast,
    },
    {
      what: `six services, sum of peak resident memory (VmHWM) during the step of ${memoryAtRate}/s`,
      target: `≤ ${memoryAtMostBytes / 1e6} MB`,
      measured: memory ? `${(bytes / 1e6).toFixed(0)} MB` : notReached,
      met: bytes <= memoryAtMostBytes,
    },
  ]
}
