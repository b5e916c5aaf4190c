import { losses } from '../lib/ledger.ts'
import type { Figures } from './k6.ts'
import type { ProcessUsage, Usage, Window } from './usage.ts'

export interface Step {
  title: string
  figures: Figures
  /** The usage is null if the processes of the product cannot be watched. */
  usage: Usage | null
}

/** A step counts as not measured if the host and other processes took a larger share of all processors than this. */
const foreignLimitPercent = 10

const count = ({ metrics }: Figures, name: string): number => metrics[name]?.['count'] ?? 0

/** Returns whether every accepted message was stored and delivered once, in order and unchanged. */
export const isExact = (figures: Figures): boolean =>
  count(figures, 'accepted') > 0 && losses.every((name) => count(figures, name) === 0)

/**
 * Returns the 99th percentile of answers or sockets, whichever is slower, in milliseconds; NaN if nothing was measured.
 */
export const p99Of = ({ metrics }: Figures): number =>
  Math.max(metrics['to_answer']?.['p(99)'] ?? NaN, metrics['to_socket']?.['p(99)'] ?? NaN)

/** Returns false if the host and other processes took so much that the figures are distorted. */
export const isMeasured = (usage: Usage | null): boolean =>
  usage === null || usage.stealPercent + usage.othersPercent <= foreignLimitPercent

/** Returns the time after the warm-up in which messages were sent; undefined if the scenario has none. */
export function windowOf({ metrics }: Figures): Window | undefined {
  const [fromMs, untilMs] = [metrics['measured_from']?.['value'], metrics['measured_until']?.['value']]
  return fromMs === undefined || untilMs === undefined ? undefined : { fromMs, untilMs }
}

/** Returns the number of messages or pages per second while the usage was watched. */
function workPerSecond({ figures, usage }: Step): number {
  const window = windowOf(figures)
  if (window) return count(figures, 'to_answer') / ((window.untilMs - window.fromMs) / 1000)
  return (count(figures, 'accepted') || count(figures, 'pages') || 1) / (usage?.seconds ?? NaN)
}

const notOfProduct = /^(checks|data_|dropped_|http_|iteration|measured_|vus|ws_)/

const describe = (metric: Record<string, number> = {}): string =>
  metric['med'] === undefined && metric['count'] !== undefined
    ? String(metric['count'])
    : ['med', 'p(95)', 'p(99)', 'max'].map((key) => metric[key]?.toFixed(1) ?? '–').join(' / ')

/**
 * Formats latencies, counts, and the processor time of each process per message or page as a Markdown table for
 * docs/benchmarks.md.
 */
export function report(steps: readonly Step[]): string {
  const names = Object.keys(steps[0]?.figures.metrics ?? {}).filter((name) => !notOfProduct.test(name))
  const perWork = steps.map((step) => step.usage && usageRows(step.usage, workPerSecond(step)))
  return table([
    [
      'latencies: p50 / p95 / p99 / max, ms; processor ms per message, memory',
      ...steps.map(({ title, usage }) => heading(title, usage)),
    ],
    ['---', ...steps.map(() => '--:')],
    ...names.sort().map((name) => [name, ...steps.map(({ figures }) => describe(figures.metrics[name]))]),
    ...(perWork[0] ?? []).map(([title], index) => [
      title,
      ...perWork.map((rows) => rows?.[index]?.[1] ?? '–'),
    ]),
  ])
}

/** Formats the usage of an idle product as a Markdown table. */
export const idleReport = (usage: Usage): string =>
  table([
    [
      'processor ms per second, memory',
      heading(`idle for ${usage.seconds.toFixed(0)} s, nobody connected`, usage),
    ],
    ['---', '--:'],
    ...usageRows(usage, 1),
  ])

const heading = (title: string, usage: Usage | null): string =>
  isMeasured(usage) ? title : `${title}, NOT MEASURED`

/**
 * Returns titles and cells: the time per unit of work (ms) and the memory of each process, their sums, and the share of
 * other processes.
 */
function usageRows(usage: Usage, workPerSecond: number): [title: string, cell: string][] {
  const cell = (processes: readonly ProcessUsage[]) => {
    const sum = (of: (usage: ProcessUsage) => number) => processes.reduce((all, each) => all + of(each), 0)
    const ms = sum(({ msPerSecond }) => msPerSecond) / workPerSecond
    return `${ms.toFixed(2)} ms, ${sum(({ peakMiB }) => peakMiB).toFixed(0)} MiB`
  }
  const { processes, stealPercent, othersPercent, generatorMsPerSecond, servicesMiB } = usage
  const all = processes.reduce((sum, { msPerSecond }) => sum + msPerSecond, 0)
  return [
    ...processes.map((each): [string, string] => [each.name, cell([each])]),
    ['the services, sum', cell(processes.filter(({ isService }) => isService))],
    ['services and engines, sum', cell(processes)],
    ['the services, pages they share divided', `${servicesMiB.toFixed(0)} MiB`],
    ['the generator, not in the sum', `${(generatorMsPerSecond / workPerSecond).toFixed(2)} ms`],
    // This ratio does not depend on the speed of the machine, which other guests of the host can lower without any
    // steal time.
    ['services and engines / generator', (all / generatorMsPerSecond).toFixed(2)],
    [
      'steal + other processes, of all processors',
      `${stealPercent.toFixed(1)} + ${othersPercent.toFixed(1)} %`,
    ],
  ]
}

const table = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** Returns a sentence on the steps that were not measured, and why; undefined if all were. */
export function unmeasuredSteps(watched: readonly Pick<Step, 'title' | 'usage'>[]): string | undefined {
  const refused = watched.flatMap(({ title, usage }) =>
    usage === null || isMeasured(usage)
      ? []
      : `${title} (steal ${usage.stealPercent.toFixed(1)} %, other processes ${usage.othersPercent.toFixed(1)} %)`,
  )
  if (refused.length === 0) return undefined
  return `NOT MEASURED, because the host and other processes took more than ${foreignLimitPercent} % of the processors: ${refused.join('; ')}. Run these again on a quiet machine.`
}
