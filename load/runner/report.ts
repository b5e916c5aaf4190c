import type { Figures } from './k6.ts'
import type { Usage } from './usage.ts'

export interface Step {
  title: string
  figures: Figures
  usage: readonly Usage[]
}

/** The count of a counter; 0 when the scenario does not have it. */
export const counted = ({ metrics }: Figures, name: string): number => metrics[name]?.['count'] ?? 0

const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, column) => (column === 0 ? '---' : '--:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')

const trendNames = ['to_answer', 'to_socket', 'first_page', 'deep_page', 'unlock', 'login']
const countNames = ['accepted', 'stored', 'delivered_by_socket', 'delivered_by_fetch', 'doubled', 'pages']

/** Latencies, counts, and what each process used for one message or page, as Markdown for docs/benchmarks.md. */
export function report(steps: readonly Step[]): string {
  const measured = (names: readonly string[]) =>
    names.filter((name) => steps.some(({ figures }) => figures.metrics[name]?.['count'] !== undefined))
  const trends = trendNames.filter((name) => steps.some(({ figures }) => figures.metrics[name]?.['med']))
  const counts = measured(countNames)
  const quadruple = (values: Record<string, number> = {}) =>
    ['med', 'p(95)', 'p(99)', 'max'].map((name) => values[name]?.toFixed(1) ?? '–').join(' / ')
  const latencies = markdownTable(
    ['Step', ...trends.map((name) => `${name}, ms (p50 / p95 / p99 / max)`), ...counts],
    steps.map(({ title, figures }) => [
      title,
      ...trends.map((name) => quadruple(figures.metrics[name])),
      ...counts.map((name) => String(counted(figures, name))),
    ]),
  )
  const processes = steps[0]?.usage.map(({ name }) => name) ?? []
  const used = ({ figures, usage }: Step, wanted: string) => {
    const found = usage.find(({ name }) => name === wanted)
    const work = counted(figures, 'accepted') || counted(figures, 'pages') || 1
    if (!found) return '–'
    const memory = found.peakMiB === null ? '' : `, ${found.peakMiB.toFixed(0)} MiB`
    return `${((found.cpuSeconds * 1000) / work).toFixed(2)} ms${memory}`
  }
  const processors = markdownTable(
    ['Processor time per message or page, peak memory', ...steps.map(({ title }) => title)],
    processes.map((name) => [name, ...steps.map((step) => used(step, name))]),
  )
  return processes.length === 0 ? latencies : `${latencies}\n\n${processors}`
}
