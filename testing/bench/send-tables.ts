import { markdownTable, ms, triple } from './markdown-table.ts'
import { isKept } from './measure-sends.ts'
import type { SendRun } from './measure-sends.ts'
import type { Usage } from './process-usage.ts'

const amount = ({ cpuSeconds, peakMiB }: Usage) =>
  `${cpuSeconds.toFixed(1)} s${peakMiB === null ? '' : `, ${peakMiB.toFixed(0)} MiB`}`
const percent = (share: number) => `${(share * 100).toFixed(0)} %`

/** The services are named after their instance: `gateway-1`. */
const isService = ({ name }: { name: string }) => /-\d+$/.test(name)

/** Peaks of the six services together, in bytes. */
export const memoryOfServices = ({ usage }: Pick<SendRun, 'usage'>): number =>
  usage.filter(isService).reduce((sum, { peakMiB }) => sum + (peakMiB ?? 0), 0) * 2 ** 20

/** One line for a person who watches. */
export const oneLine = (run: SendRun, title: string): string =>
  `${title}: 201 ${triple(run.toAnswer)} ms, socket ${triple(run.toSocket)} ms (p50 / p95 / p99); ` +
  `offered ${run.offered}, accepted ${run.accepted}, stored ${run.stored}, delivered ${run.delivered}; ` +
  `generator ${percent(run.generatorShare)} of a processor, late by ${ms(run.lateness.p99)} ms (p99)` +
  (Object.keys(run.refusals).length > 0 ? `; refused ${JSON.stringify(run.refusals)}` : '') +
  (isKept(run) ? '' : `  ← LOST OR DOUBLED (${run.doubled} doubled)`)

export const latencyTable = (runs: readonly SendRun[], titleOf: (run: SendRun) => string): string =>
  markdownTable(
    [
      ...['Run', 'to the 201', 'to the other’s socket', 'offered', 'accepted', 'stored', 'delivered'],
      ...['doubled', 'generator late (p99)', 'generator, of a processor'],
    ],
    runs.map((run) => [
      titleOf(run),
      triple(run.toAnswer),
      triple(run.toSocket),
      ...[run.offered, run.accepted, run.stored, run.delivered, run.doubled].map(String),
      ms(run.lateness.p99),
      percent(run.generatorShare),
    ]),
  )

export const usageTable = (runs: readonly SendRun[], titleOf: (run: SendRun) => string): string =>
  markdownTable(
    ['Process', ...runs.map(titleOf)],
    [
      ...(runs[0]?.usage.map(({ name }) => name) ?? []).map((name) => [
        name,
        ...runs.map((run) => {
          const used = run.usage.find((entry) => entry.name === name)
          return used ? amount(used) : '–'
        }),
      ]),
      ['**six services, memory**', ...runs.map((run) => `${(memoryOfServices(run) / 1e6).toFixed(0)} MB`)],
    ],
  )

/** How sends are driven and measured: the part all reports share. */
export const sendMethod = `Open model: sends are due
at a fixed rate whatever became of the earlier ones. Latency runs from the moment a send was due until the 201 was read, and until the
recipient's socket had the event (∞ where the 99th of a hundred was refused); the generator's own lateness is in it and shown beside. Every accepted message is looked for in the
database and at the recipient's socket, by its id. The generator is one Node process on the same machine, with an HTTP and a Socket.IO
client of some lines each, so that it takes little of what it measures. Services run as in production (answers are not checked, logs at
level info), but for rate limits, which are off: one address sends all.`
