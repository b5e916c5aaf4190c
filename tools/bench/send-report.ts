import type { SendRun } from './measure-sends.ts'
import type { Percentiles } from './percentiles.ts'
import type { Usage } from './process-usage.ts'

const ms = (value: number) => value.toFixed(1)
const triple = ({ p50, p95, p99, max }: Percentiles) => [p50, p95, p99, max].map(ms).join(' / ')
const amount = ({ cpuSeconds, peakMiB }: Usage) =>
  `${cpuSeconds.toFixed(1)} s${peakMiB === null ? '' : `, ${peakMiB.toFixed(0)} MiB`}`
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map((_, column) => (column === 0 ? '---' : '--:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')

/** Whether a run lost nothing: everything offered was accepted, and seen by the other side once. */
export const isClean = (run: SendRun): boolean =>
  run.accepted === run.offered && run.delivered === run.accepted && run.doubled === 0

/** The services are named after their instance: `gateway-1`. */
const isService = ({ name }: { name: string }) => /-\d+$/.test(name)
const memoryOfServices = ({ usage }: SendRun) =>
  usage.filter(isService).reduce((sum, { peakMiB }) => sum + (peakMiB ?? 0), 0)

const titleOf = (run: SendRun) => `${run.ratePerSecond}/s, ${run.csrf}`

/** One line for a person who watches. */
export const oneLine = (run: SendRun): string =>
  `${titleOf(run)}: 201 ${triple(run.toAnswer)} ms, socket ${triple(run.toSocket)} ms (p50 / p95 / p99 / max); ` +
  `offered ${run.offered}, accepted ${run.accepted}, delivered ${run.delivered}, doubled ${run.doubled}` +
  (isClean(run) ? '' : `  ← NOT CLEAN ${JSON.stringify(run.refusals)}`)

export interface SendReport {
  runs: readonly SendRun[]
  stored: { expected: number; found: number }
  pairs: number
  warmUpSeconds: number
  date: string
  machine: string
  versions: string
}

/** The section of docs/benchmarks.md. */
export function sendReport({
  runs,
  stored,
  pairs,
  warmUpSeconds,
  date,
  machine,
  versions,
}: SendReport): string {
  const latency = table(
    ['Run', 'to the 201', 'to the other’s socket', 'offered', 'accepted', 'delivered'],
    runs.map((run) => [
      titleOf(run),
      triple(run.toAnswer),
      triple(run.toSocket),
      ...[run.offered, run.accepted, run.delivered].map(String),
    ]),
  )
  const names = runs[0]?.usage.map(({ name }) => name) ?? []
  const usage = table(
    ['Process', ...runs.map(titleOf)],
    names.map((name) => [
      name,
      ...runs.map((run) => {
        const used = run.usage.find((entry) => entry.name === name)
        return used ? amount(used) : '–'
      }),
    ]),
  )
  return `## Sending a message (\`npm run bench:send\`)

${date}. ${machine}. ${versions}. One instance of each service.

**Method.** ${pairs} pairs, both sides connected through the gateway, one side of each with premium. Open model: sends are due
at a fixed rate for ${runs[0]?.seconds} s whatever became of the earlier ones, after ${warmUpSeconds} s of warm-up that does not count. Latency runs from
the moment a send was due until the 201 was read, and until the recipient's socket had the event. The generator is one Node process on the
same machine. Rate limits are off.

Milliseconds, p50 / p95 / p99 / max:

${latency}

Accepted over all runs, warm-up included: ${stored.expected}; found in the database afterwards: ${stored.found}.

Processor seconds and peak resident memory of each process during a run (“everything else” is what the machine did besides; a
run with much of it says little about latency):

${usage}

Peaks of the six services together: ${runs.map((run) => `${memoryOfServices(run).toFixed(0)} MiB`).join(', ')}.`
}
