import { hopNames } from './hops.ts'
import type { HopName } from './hops.ts'
import { markdownTable } from './markdown-table.ts'
import { percentiles } from './percentiles.ts'

export interface HopsRun {
  ratePerSecond: number
  seconds: number
  warmUpSeconds: number
  pairs: number
  accepted: number
  delivered: number
  /** One entry for each whole trace. */
  traces: readonly Record<HopName, number>[]
  where: string
}

const ms = (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(2))

function rows(traces: HopsRun['traces']): string[][] {
  return hopNames.map((name) => {
    const { p50, p95, p99 } = percentiles(
      traces.map((trace) => trace[name]).filter((value) => !Number.isNaN(value)),
    )
    return [name, ...[p50, p95, p99].map(ms)]
  })
}

/** For a person who watches. */
export const hopLines = ({ traces }: HopsRun): string =>
  rows(traces)
    .map(
      ([name = '', ...figures]) =>
        `${name.padEnd(48)}${figures.map((figure) => figure.padStart(9)).join('')}`,
    )
    .join('\n')

/** The section of docs/benchmarks.md. */
export function hopsReport(run: HopsRun): string {
  const table = markdownTable(['Hop', 'p50', 'p95', 'p99'], rows(run.traces))
  return `## Where a message spends its time (\`npm run bench:hops\`)

${run.where}

**Method.** ${run.pairs} pairs, ${run.ratePerSecond} messages/s for ${run.seconds} s after ${run.warmUpSeconds} s of warm-up that does not count, every request traced
(tracing costs processor itself: totals are those of \`bench:send\`, this table is for the proportions). Spans come from the
services by OTLP to the bench; between processes the clocks of one machine are compared. Accepted ${run.accepted}, delivered ${run.delivered}, whole traces
${run.traces.length}.

Milliseconds:

${table}`
}
