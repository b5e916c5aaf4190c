import { slowestP99, tooSlowMs } from './ladder-targets.ts'
import type { Target } from './ladder-targets.ts'
import { lineChart } from './line-chart.ts'
import { markdownTable } from './markdown-table.ts'
import type { SendRun } from './measure-sends.ts'
import { latencyTable, sendMethod, usageTable } from './send-tables.ts'

export const stepTitle = ({ ratePerSecond }: SendRun): string => `${ratePerSecond}/s`

export const targetTable = (targets: readonly Target[]): string =>
  markdownTable(
    ['Target of the design', 'target', 'measured', 'met'],
    targets.map(({ what, target, measured, met }) => [what, target, measured, met ? 'yes' : '**no**']),
  )

export const ladderChart = (runs: readonly SendRun[]): string =>
  lineChart({
    title: 'A message on its way, by rate',
    xLabel: 'messages per second, offered',
    yLabel: 'milliseconds since a send was due',
    limit: { name: `the ladder ends at ${tooSlowMs} ms`, y: tooSlowMs },
    series: (['p50', 'p99'] as const).flatMap((name) => [
      { name: `${name} to the socket`, points: runs.map((run) => [run.ratePerSecond, run.toSocket[name]]) },
      { name: `${name} to the 201`, points: runs.map((run) => [run.ratePerSecond, run.toAnswer[name]]) },
    ]),
  })

export interface LadderReport {
  runs: readonly SendRun[]
  targets: readonly Target[]
  pairs: number
  firstWarmUpSeconds: number
  warmUpSeconds: number
  where: string
}

/** The section of docs/benchmarks.md. */
export function ladderReport({ firstWarmUpSeconds, warmUpSeconds, ...report }: LadderReport): string {
  const { runs, targets, pairs, where } = report
  const last = runs.at(-1)
  const ended =
    last && !(slowestP99(last) <= tooSlowMs)
      ? `It ended at ${stepTitle(last)}, whose p99 passed ${tooSlowMs} ms.`
      : 'It went to its top.'
  return `## As fast as it goes (\`npm run bench:ladder\`)

${where}

**Method.** ${pairs} conversations with both sides connected through the gateway, one side of each with premium, CSRF token at hand; ${firstWarmUpSeconds} s at
${runs[0]?.ratePerSecond}/s that do not count, then steps of ${runs[0]?.seconds} s, each after ${warmUpSeconds} s that do not count, until p99 to the 201 or to the socket passes ${tooSlowMs} ms. ${ended} ${sendMethod}

${targetTable(targets)}

![Milliseconds by messages per second](benchmarks/ladder.svg)

Milliseconds, p50 / p95 / p99:

${latencyTable(runs, stepTitle)}

Processor seconds and peak resident memory (VmHWM, counted anew in each step) of each process:

${usageTable(runs, stepTitle)}`
}
