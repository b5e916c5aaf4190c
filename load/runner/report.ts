import { losses } from '../lib/ledger.ts'
import type { Figures } from './k6.ts'
import type { Usage } from './usage.ts'

export interface Step {
  title: string
  figures: Figures
  usage: readonly Usage[]
}

const count = ({ metrics }: Figures, name: string): number => metrics[name]?.['count'] ?? 0

/** Whether every accepted message was stored and delivered once, in order and unchanged. */
export const isExact = (figures: Figures): boolean =>
  count(figures, 'accepted') > 0 && losses.every((name) => count(figures, name) === 0)

/** The slower of answer and socket; NaN when nothing was measured. */
export const p99Of = ({ metrics }: Figures): number =>
  Math.max(metrics['to_answer']?.['p(99)'] ?? NaN, metrics['to_socket']?.['p(99)'] ?? NaN)

const ofK6 = /^(checks|data_|dropped_|http_|iteration|vus|ws_)/

const describe = (metric: Record<string, number> = {}): string =>
  metric['count'] === undefined
    ? ['med', 'p(95)', 'p(99)', 'max'].map((key) => metric[key]?.toFixed(1) ?? '–').join(' / ')
    : String(metric['count'])

/** Latencies, counts, and per process the time for one message or page, as a Markdown table for docs/benchmarks.md. */
export function report(steps: readonly Step[]): string {
  const row = (title: string, cell: (step: Step) => string) => [title, ...steps.map(cell)]
  const names = Object.keys(steps[0]?.figures.metrics ?? {}).filter((name) => !ofK6.test(name))
  const rows = [
    row('latencies: p50 / p95 / p99 / max, ms', ({ title }) => title),
    row('---', () => '--:'),
    ...names.sort().map((name) => row(name, ({ figures }) => describe(figures.metrics[name]))),
    ...(steps[0]?.usage ?? []).map(({ name }, index) =>
      row(`${name}, processor time and peak memory`, ({ figures, usage }) => {
        const { cpuSeconds = NaN, peakMiB = NaN } = usage[index] ?? {}
        const work = count(figures, 'accepted') || count(figures, 'pages') || 1
        return `${((cpuSeconds * 1000) / work).toFixed(2)} ms, ${peakMiB.toFixed(0)} MiB`
      }),
    ),
  ]
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
