import { setTimeout as wait } from 'node:timers/promises'
import { createNumberedWriters } from '../numbered-writers.ts'
import { seatPairs } from '../seats.ts'
import type { Seat } from '../seats.ts'
import type { Person } from '../people.ts'
import { expectAllWritten, storedMessages } from '../stored-messages.ts'
import { startFailoverLoad } from './failover-load.ts'
import type { FailoverLoad } from './failover-load.ts'
import { failoverPeople } from './failover-people.ts'
import type { FailoverStack } from './failover-stack.ts'
import { expectEachOnce, expectInTime, longestWaits } from './failover-verdict.ts'

/** A fault breaks some of a stack's engines for a while. */
export interface Fault {
  readonly name: string
  /** Breaks the engines. Resolves once they accept writes again. */
  strike(): Promise<void>
  /** The fault is healed this long after it began. */
  lastsMs: number
  heal(): Promise<void>
}

const calmMs = 8000
/**
 * The load continues for this time after the healing, while an isolated primary returns and drops the writes that it
 * alone had.
 */
const afterwardsMs = 12_000
const subjectMs = 1500
/** The eight people of four pairs together write 20 messages a second. */
const pairs = 4
const paceMs = 400

/** Runs all kinds of writes while a fault comes and goes. No acknowledged write may be lost or made twice. */
export async function expectFailover(stack: FailoverStack, admin: Person, fault: Fault): Promise<void> {
  const totalMs = calmMs + fault.lastsMs + afterwardsMs
  const people = await failoverPeople(stack, admin, Math.ceil(totalMs / subjectMs))
  const seats = await seatPairs(stack, admin, pairs)
  const earlier = (await storedMessages(stack)).length
  let load: FailoverLoad | undefined
  try {
    load = startFailoverLoad(stack, people, { sendMs: 250, subjectMs })
    const writers = createNumberedWriters(seats)
    const written = writers.write(Math.ceil(totalMs / paceMs), paceMs)
    await wait(calmMs)
    stack.hints.cut()
    const brokenAt = performance.now()
    await fault.strike()
    const electedAt = performance.now()
    await wait(Math.max(0, brokenAt + fault.lastsMs - performance.now()))
    await fault.heal()
    await written
    await load.done()
    await writers.allSent()
    await stack.set.whole()
    await stack.cluster.whole()
    await load.stop()
    say(fault, load, { electionMs: electedAt - brokenAt })
    await expectEachOnce(stack, people, load)
    await expectAllWritten(stack, seats, {
      written: earlier + writers.written + load.sentIds.length,
      acknowledged: [...writers.acknowledged, ...load.sentIds],
    })
    expectInTime(load, { brokenAt, electedAt })
  } finally {
    await load?.stop()
    closeAll(seats)
    stack.hints.restore()
  }
}

function closeAll(seats: readonly Seat[]): void {
  for (const { device } of seats) device.close()
}

function say({ name }: Fault, load: FailoverLoad, { electionMs }: { electionMs: number }): void {
  const waits = Object.entries(longestWaits(load)).map(([kind, seconds]) => `${kind} ${seconds}`)
  const last = load.answersAfterEnd.map(({ askedAt, endedAt }) => askedAt - endedAt)
  process.stdout.write(
    `  ${name}: a new primary after ${(electionMs / 1000).toFixed(1)} s; longest waits in s: ${waits.join(', ')};\n` +
      `  ${load.writes.length} writes; ${load.asked} calls of ended sessions, of which ${last.length} were answered, the last one ${Math.round(Math.max(0, ...last))} ms after the end\n`,
  )
}
