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

const trends = ['to_answer', 'to_socket', 'first_page', 'deep_page', 'unlock', 'login']
const counters = ['accepted', 'stored', 'delivered_by_socket', 'delivered_by_fetch', 'asked_again']

/** Latencies, counts, and per process the time for one message or page, as a Markdown table for docs/benchmarks.md. */
export function report(steps: readonly Step[]): string {
  const measured = (names: string[]) =>
    names.filter((name) => steps.some(({ figures }) => figures.metrics[name]))
  const row = (title: string, cell: (step: Step) => string) => [title, ...steps.map(cell)]
  const rows = [
    row('', ({ title }) => title),
    row('---', () => '--:'),
    ...measured(trends).map((name) =>
      row(`${name}, ms (p50 / p95 / p99 / max)`, ({ figures: { metrics } }) =>
        ['med', 'p(95)', 'p(99)', 'max'].map((key) => metrics[name]?.[key]?.toFixed(1) ?? '–').join(' / '),
      ),
    ),
    ...measured(counters).map((name) => row(name, ({ figures }) => String(count(figures, name)))),
    ...(steps[0]?.usage ?? []).map(({ name }, index) =>
      row(`${name}, processor time and peak memory`, ({ figures, usage }) => {
        const { cpuSeconds = NaN, peakMiB = NaN } = usage[index] ?? {}
        const work = count(figures, 'accepted') || count(figures, 'iterations')
        return `${((cpuSeconds * 1000) / work).toFixed(2)} ms, ${peakMiB.toFixed(0)} MiB`
      }),
    ),
  ]
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
