import { markdownTable, ms } from '../../testing/bench/markdown-table.ts'
import { percentiles } from '../../testing/bench/percentiles.ts'
import type { Percentiles } from '../../testing/bench/percentiles.ts'
import type { Usage } from '../../testing/bench/process-usage.ts'
import { counted } from './figures.ts'
import type { Figures } from './figures.ts'
import { highest, tooSlowMs } from './ladder.ts'
import type { Step } from './ladder.ts'

export interface Surroundings {
  date: string
  machine: string
  /** `the started product`, or an address. */
  against: string
  k6: string
}

const quadruple = ({ p50, p95, p99, max }: Percentiles = percentiles([])) =>
  [p50, p95, p99, max].map(ms).join(' / ')

const head = ({ date, machine, against, k6 }: Surroundings) =>
  `${date}, against ${against}. ${machine}. ${k6}, on the same machine.`

/** The section `load:smoke` of docs/benchmarks.md. */
export const smokeReport = (
  figures: Figures,
  where: Surroundings,
): string => `## Every step once (\`npm run load -- smoke\`)

${head(where)} ${figures.seconds.toFixed(1)} s.

${markdownTable(
  ['Step', 'held', 'did not'],
  figures.checks.map(({ name, passes, fails }) => [name, String(passes), String(fails)]),
)}`

const counts: readonly (readonly [string, string])[] = [
  ['accepted', 'accepted'],
  ['stored', 'stored'],
  ['delivered_by_socket', 'by socket'],
  ['delivered_by_fetch', 'by fetch'],
  ['doubled', 'doubled'],
  ['dropped_iterations', 'not sent'],
]
const faults = [
  'refused',
  'unanswered',
  'retried',
  'sockets_lost',
  'sockets_refused',
  'sockets_missing',
  'gaps',
  'altered',
]

const otherFaults = ({ figures }: Step) =>
  faults
    .filter((name) => counted(figures, name) !== 0)
    .map((name) => `${name} ${counted(figures, name)}`)
    .join(', ') || 'none'

const used = (usage: readonly Usage[], name: string) => {
  const found = usage.find((entry) => entry.name === name)
  if (!found) return '–'
  return `${found.cpuSeconds.toFixed(1)} s${found.peakMiB === null ? '' : `, ${found.peakMiB.toFixed(0)} MiB`}`
}

export interface LadderFacts {
  pairs: number
  secondsPerStep: number
  warmUpSeconds: number
}

/** The section `load:ladder` of docs/benchmarks.md. */
export function ladderReport(steps: readonly Step[], facts: LadderFacts, where: Surroundings): string {
  const best = highest(steps)
  const found =
    best === null
      ? `No step kept p99 under ${tooSlowMs} ms without loss.`
      : `**${best}/s is the highest step that kept p99 under ${tooSlowMs} ms, both ways, without loss.**`
  const titles = steps.map(({ ratePerSecond }) => `${ratePerSecond}/s`)
  const names = steps[0]?.usage.map(({ name }) => name) ?? []
  return `## The ladder of k6 (\`npm run load -- ladder\`)

${head(where)}

**Method.** ${facts.pairs} pairs, one side of each with premium, all sockets connected through the gateway, CSRF token at hand. Open model (k6's
constant-arrival-rate), ${facts.secondsPerStep} s a step after ${facts.warmUpSeconds} s of warm-up that does not count, until p99 reaches ${tooSlowMs} ms or a step is not clean. Latency
runs from the start of a send's iteration; to the socket in whole milliseconds. After each step everybody's history is read: accepted, stored and
delivered messages are compared by number and by the sum of their fingerprints, warm-up included.

${found}

Milliseconds, p50 / p95 / p99 / max; then counts of messages:

${markdownTable(
  ['Step', 'to the 201', 'to the other’s socket', ...counts.map(([, title]) => title), 'other faults'],
  steps.map((step, index) => [
    titles[index] as string,
    quadruple(step.figures.trends['to_answer']),
    quadruple(step.figures.trends['to_socket']),
    ...counts.map(([name]) => String(counted(step.figures, name))),
    otherFaults(step),
  ]),
)}${
    names.length === 0
      ? ''
      : `

Processor seconds and peak resident memory of each process, from the connecting of the sockets to the reading of the histories (“everything else”
has k6 in it):

${markdownTable(
  ['Process', ...titles],
  names.map((name) => [name, ...steps.map(({ usage }) => used(usage, name))]),
)}`
  }`
}
