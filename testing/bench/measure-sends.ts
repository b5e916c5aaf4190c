import type { Stack } from '@sumlock/dev/product/services'
import { withDatabase } from '../kit/database.ts'
import { percentiles } from './percentiles.ts'
import type { Percentiles } from './percentiles.ts'
import { watchUsage } from './process-usage.ts'
import type { Measured, Usage } from './process-usage.ts'
import { isAccepted } from './send-load.ts'
import type { CsrfMode, Flight, LoadOptions, SendLoad } from './send-load.ts'

export interface SendRun {
  ratePerSecond: number
  seconds: number
  csrf: CsrfMode
  offered: number
  /** Answered with 201. */
  accepted: number
  /** Of the accepted ones: found in the database, each once. */
  stored: number
  /** Of the accepted ones: seen by the recipient's socket. */
  delivered: number
  /** Socket events beyond the first for one message, and documents beyond the first. */
  doubled: number
  refusals: Record<string, number>
  /** Milliseconds from the moment a send was due; Infinity for what was refused or never came. */
  toAnswer: Percentiles
  toSocket: Percentiles
  /** How late the generator itself was: from the moment a send was due until it was written. Part of both above. */
  lateness: Percentiles
  /** Share of one processor that the generator used. */
  generatorShare: number
  usage: Usage[]
}

export interface SendRunOptions extends LoadOptions {
  warmUpSeconds: number
  processes: readonly Measured[]
}

export const generatorName = 'load generator'

/** Whether a run lost nothing: all that was accepted is stored and was seen by the other side, once. */
export const isKept = (run: SendRun): boolean =>
  run.stored === run.accepted && run.delivered === run.accepted && run.doubled === 0

/** Drives messages through the gateway, watches them arrive, and looks for each in the database. */
export async function measureSends(stack: Stack, load: SendLoad, options: SendRunOptions): Promise<SendRun> {
  const { ratePerSecond, seconds, csrf } = options
  await load.run({ ratePerSecond, csrf, seconds: options.warmUpSeconds })
  const startedAt = new Date()
  const startedMs = performance.now()
  const usage = watchUsage([...options.processes, { name: generatorName, pid: process.pid }])
  const { flights, refusals } = await load.run({ ratePerSecond, csrf, seconds })
  const used = usage()
  const tookSeconds = (performance.now() - startedMs) / 1000
  return {
    ...{ ratePerSecond, seconds, csrf, refusals },
    ...tally(flights, await storedSince(stack, startedAt)),
    generatorShare: (used.find(({ name }) => name === generatorName)?.cpuSeconds ?? NaN) / tookSeconds,
    usage: used,
  }
}

/** What was refused or lost took for ever: counted without it, a service that turns everybody away would look fast. */
const since = ({ dueAtMs }: Flight, atMs: number | undefined): number =>
  atMs === undefined || Number.isNaN(atMs) ? Infinity : atMs - dueAtMs

/** What became of the sends, given how often each id is in the database. */
export function tally(flights: readonly Flight[], documents: ReadonlyMap<string, number>) {
  const accepted = flights.filter(isAccepted)
  const delivered = accepted.filter(({ seenAtMs }) => seenAtMs.length > 0)
  const stored = accepted.filter(({ id }) => documents.has(id))
  const beyondFirst = (counts: readonly number[]) =>
    counts.reduce((sum, count) => sum + Math.max(0, count - 1), 0)
  return {
    offered: flights.length,
    accepted: accepted.length,
    stored: stored.length,
    delivered: delivered.length,
    doubled:
      beyondFirst(flights.map(({ seenAtMs }) => seenAtMs.length)) +
      beyondFirst(flights.map(({ id }) => documents.get(id) ?? 0)),
    toAnswer: percentiles(flights.map((flight) => since(flight, flight.answeredAtMs))),
    toSocket: percentiles(flights.map((flight) => since(flight, flight.seenAtMs[0]))),
    lateness: percentiles(
      flights.flatMap(({ dueAtMs, writtenAtMs }) => (Number.isNaN(writtenAtMs) ? [] : writtenAtMs - dueAtMs)),
    ),
  }
}

const storedSince = (stack: Stack, from: Date): Promise<Map<string, number>> =>
  withDatabase(stack, 'messaging', async (database) => {
    const counts = new Map<string, number>()
    const found = database
      .collection<{ clientMessageId: string }>('messages')
      .find({ createdAt: { $gte: from } }, { projection: { clientMessageId: 1 } })
    for await (const { clientMessageId } of found)
      counts.set(clientMessageId, (counts.get(clientMessageId) ?? 0) + 1)
    return counts
  })
