import type { ClosedRun } from './closed-model.ts'
import { lineChart } from './line-chart.ts'
import { markdownTable, triple } from './markdown-table.ts'
import type { Usage } from './process-usage.ts'

export interface HistoryRun {
  messages: number
  firstPage: ClosedRun
  deepPage: ClosedRun
  usage: Usage[]
}

const amount = (count: number) => (count >= 1000 ? `10^${Math.log10(count)}` : String(count))
const ratio = (value: number, base: number | undefined) => (base ? `${(value / base).toFixed(2)} ×` : '–')
const shown = ['gateway-1', 'messaging-1', 'mongo']

export function historyTable(runs: readonly HistoryRun[]): string {
  const base = runs[0]
  return markdownTable(
    ['Messages in the conversation', 'first page', 'p50 to the least', 'deep page', 'p50 to the least'],
    runs.map(({ messages, firstPage, deepPage }) => [
      amount(messages),
      triple(firstPage.latency),
      ratio(firstPage.latency.p50, base?.firstPage.latency.p50),
      triple(deepPage.latency),
      ratio(deepPage.latency.p50, base?.deepPage.latency.p50),
    ]),
  )
}

const usageTable = (runs: readonly HistoryRun[]): string =>
  markdownTable(
    ['Process', ...runs.map(({ messages }) => amount(messages))],
    shown.map((name) => [
      name,
      ...runs.map(({ usage }) => {
        const used = usage.find((entry) => entry.name === name)
        return used ? `${used.cpuSeconds.toFixed(1)} s, ${used.peakMiB?.toFixed(0)} MiB` : '–'
      }),
    ]),
  )

export const historyChart = (runs: readonly HistoryRun[]): string =>
  lineChart({
    title: 'A page of 50 messages through the gateway',
    xLabel: 'messages in the conversation',
    yLabel: 'milliseconds',
    yScale: 'linear',
    series: (['p50', 'p99'] as const).flatMap((name) => [
      {
        name: `first page, ${name}`,
        points: runs.map((run) => [run.messages, run.firstPage.latency[name]] as const),
      },
      {
        name: `deep page, ${name}`,
        points: runs.map((run) => [run.messages, run.deepPage.latency[name]] as const),
      },
    ]),
  })

/** The section of docs/benchmarks.md. */
export const historyReport = (runs: readonly HistoryRun[], where: string): string =>
  `## Reading history (\`npm run bench:history\`)

${where}

**Method.** One conversation for each size, its messages put into messaging's collection beforehand. ${runs[0]?.firstPage.requests} times the first page
(the newest 50), then ${runs[0]?.deepPage.requests} times a deep one (the 50 before a place in the older half, another place each time), one after the other,
through the gateway, after a tenth as many that do not count. Every page is checked for the messages it should hold. MongoDB has 0.25 GB of
cache. Services run as in production, rate limits off.

![Milliseconds by messages in the conversation](benchmarks/history.svg)

Milliseconds, p50 / p95 / p99:

${historyTable(runs)}

Processor seconds and peak resident memory while these pages were read:

${usageTable(runs)}`
