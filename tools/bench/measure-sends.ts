import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { openModel } from './open-model.ts'
import type { Seat } from './pairs.ts'
import { percentiles } from './percentiles.ts'
import type { Percentiles } from './percentiles.ts'
import { watchUsage } from './process-usage.ts'
import type { Measured, Usage } from './process-usage.ts'
import { send } from './sender.ts'
import type { CsrfMode } from './sender.ts'

export interface SendRun {
  ratePerSecond: number
  seconds: number
  csrf: CsrfMode
  offered: number
  /** Answered with 201. */
  accepted: number
  /** The same, of the sends that do not count. */
  warmUpAccepted: number
  /** Of the accepted ones: seen by the recipient's socket. */
  delivered: number
  /** Socket events beyond the first for one message. */
  doubled: number
  /** Statuses other than 201, and connection errors, with their counts. */
  refusals: Record<string, number>
  /** Milliseconds from the moment a send was due. */
  toAnswer: Percentiles
  toSocket: Percentiles
  usage: Usage[]
}

export interface SendRunOptions {
  pairs: readonly [Seat, Seat][]
  ratePerSecond: number
  seconds: number
  warmUpSeconds: number
  csrf: CsrfMode
  processes: readonly Measured[]
}

interface Flight {
  dueAtMs: number
  answeredAtMs: number
  seenAtMs: number[]
}

const isAccepted = ({ answeredAtMs }: Flight) => !Number.isNaN(answeredAtMs)
const deliverWithinMs = 10_000

/** Drives messages through the gateway and watches them arrive. */
export async function measureSends(options: SendRunOptions): Promise<SendRun> {
  const { pairs, ratePerSecond, seconds, csrf } = options
  const flights = new Map<string, Flight>()
  const refusals: Record<string, number> = {}
  const stops = pairs.flat().map(({ person, live }) =>
    live.subscribe({
      onEvent(event) {
        if (event.type !== 'new_message' || event.data.senderId === person.user.id) return
        flights.get(event.data.clientMessageId)?.seenAtMs.push(performance.now())
      },
    }),
  )
  const underWay = new Set<Promise<void>>()
  let turn = 0
  const drive = async (forSeconds: number) => {
    await openModel({ ratePerSecond, seconds: forSeconds }, (dueAtMs) => {
      const pair = pairs[turn % pairs.length] as [Seat, Seat]
      const { person, conversationId } = pair[Math.floor(turn++ / pairs.length) % 2] as Seat
      const clientMessageId = randomUUID()
      const flight: Flight = { dueAtMs, answeredAtMs: NaN, seenAtMs: [] }
      flights.set(clientMessageId, flight)
      const message = {
        client: person.client,
        conversationId,
        clientMessageId,
        content: 'How are you today?',
      }
      const done = send(message, csrf)
        .catch((error: unknown) => String((error as { code?: string }).code ?? error))
        .then((status) => {
          if (status === 201) flight.answeredAtMs = performance.now()
          else refusals[status] = (refusals[status] ?? 0) + 1
          underWay.delete(done)
        })
      underWay.add(done)
    })
  }
  const settle = async () => {
    await Promise.all(underWay)
    const deadline = performance.now() + deliverWithinMs
    const isMissing = (flight: Flight) => isAccepted(flight) && flight.seenAtMs.length === 0
    while ([...flights.values()].some(isMissing) && performance.now() < deadline) await wait(20)
  }

  await drive(options.warmUpSeconds)
  await settle()
  const warmUpAccepted = [...flights.values()].filter(isAccepted).length
  flights.clear()
  for (const status of Object.keys(refusals)) delete refusals[status]
  const usage = watchUsage(options.processes)
  await drive(seconds)
  await settle()
  for (const stop of stops) stop()

  const all = [...flights.values()]
  const accepted = all.filter(isAccepted)
  const delivered = accepted.filter(({ seenAtMs }) => seenAtMs.length > 0)
  return {
    ...{ ratePerSecond, seconds, csrf, refusals },
    offered: all.length,
    accepted: accepted.length,
    warmUpAccepted,
    delivered: delivered.length,
    doubled: delivered.reduce((sum, { seenAtMs }) => sum + seenAtMs.length - 1, 0),
    toAnswer: percentiles(accepted.map(({ dueAtMs, answeredAtMs }) => answeredAtMs - dueAtMs)),
    toSocket: percentiles(delivered.map(({ dueAtMs, seenAtMs }) => (seenAtMs[0] as number) - dueAtMs)),
    usage: usage(),
  }
}
