import { barChart } from './bar-chart.ts'
import type { SendRun } from './measure-sends.ts'
import { latencyTable, sendMethod, usageTable } from './send-tables.ts'

export interface SendReport {
  runs: readonly SendRun[]
  pairs: number
  warmUpSeconds: number
  where: string
}

export const titleOf = ({ ratePerSecond, csrf }: SendRun): string => `${ratePerSecond}/s, ${csrf}`

export const sendChart = (runs: readonly SendRun[]): string =>
  barChart({
    title: 'From the moment a send was due to the other’s socket',
    unit: 'milliseconds',
    groups: (['p50', 'p99'] as const).map((name) => ({
      name,
      bars: runs.map((run) => ({
        name: `${run.ratePerSecond}/s, ${run.csrf === 'token at hand' ? 'token at hand' : 'token fetched'}`,
        value: run.toSocket[name],
      })),
    })),
  })

/** The section of docs/benchmarks.md. */
export const sendReport = ({ runs, pairs, warmUpSeconds, where }: SendReport): string =>
  `## Sending a message (\`npm run bench:send\`)

${where}

**Method.** ${pairs} pairs, both sides connected through the gateway, one side of each with premium; ${runs[0]?.seconds} s for each run, after
${warmUpSeconds} s of warm-up that does not count. ${sendMethod}

![Milliseconds to the other’s socket, by run](benchmarks/send.svg)

Milliseconds, p50 / p95 / p99:

${latencyTable(runs, titleOf)}

Processor seconds and peak resident memory of each process during a run (“everything else” is what the machine did besides; a
run with much of it says little about latency):

${usageTable(runs, titleOf)}`
