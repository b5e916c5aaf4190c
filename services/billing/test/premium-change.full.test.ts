import { sendMessage } from '@sumlock/contracts/messaging-routes'
import { upgrade } from '@sumlock/contracts/subscription-routes'
import { transact } from '@sumlock/service-kit/transact'
import { bounds } from '@sumlock/testing/bounds'
import { startFaultStack } from '@sumlock/testing/faults/fault-stack'
import type { FaultStack } from '@sumlock/testing/faults/fault-stack'
import { longTimeouts } from '@sumlock/testing/long-timeouts'
import { startMixedLoad } from '@sumlock/testing/mixed-load'
import { adminPerson, befriend, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { openBilling } from './open-billing.ts'
import type { OpenBilling } from './open-billing.ts'
import { appendGrant, removeGrant } from '../src/use-cases/change-ledger.ts'
import { seatPair } from '@sumlock/testing/seats'
import type { Seat } from '@sumlock/testing/seats'
import { nextState } from '@sumlock/testing/socket'

const changesWithKafka = 25
const changesWithoutKafka = 10
const requestsPerSecond = 20

let stack: FaultStack
let billing: OpenBilling
let seats: Seat[]
beforeAll(async () => {
  const replicas = { messaging: 2, billing: 2 }
  stack = await startFaultStack({ logName: 'premium-change', replicas, env: longTimeouts() })
  billing = await openBilling(stack)
  seats = await seatPair(stack, await adminPerson(stack))
  for (const { person } of seats) person.client.keptToken = await person.client.csrfToken()
})
afterAll(async () => {
  for (const seat of seats ?? []) seat.device.close()
  await billing?.close()
  await stack?.stop()
})

interface FreePair {
  payer: Person
  partner: Person
  conversationId: string
}
const send = ({ client }: Person, conversationId: string) =>
  client.call(sendMessage, { body: { conversationId, content: 'now?' } })

/** Two people who have both used up their message of the day. */
async function freePair(): Promise<FreePair> {
  const [payer, partner] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  const { id: conversationId } = await befriend(payer, partner)
  for (const person of [payer, partner]) {
    person.client.keptToken = await person.client.csrfToken()
    expect((await send(person, conversationId)).status).toBe(201)
  }
  return { payer, partner, conversationId }
}

/** Returns the milliseconds until three sends in a row get this answer; both replicas of messaging have their turn. */
async function untilAnswered(status: number, person: Person, conversationId: string): Promise<number> {
  const startedAt = performance.now()
  for (let inARow = 0, sinceMs = 0; ;) {
    const askedMs = performance.now() - startedAt
    if (askedMs > 60_000) throw new Error(`No ${status} within a minute`)
    if ((await send(person, conversationId)).status !== status) inARow = 0
    else if ((inARow += 1) === 1) sinceMs = askedMs
    if (inARow === 3) return sinceMs
  }
}
const endPremium = async ({ payer }: FreePair) => {
  for (const { _id } of await billing.ctx.ledger.grantsOf(payer.user.id))
    await transact(billing.ctx.connection, (session) => removeGrant(billing.ctx, session, _id, 'refunded'))
  billing.ctx.outbox.kick()
}

/** Buys premium and takes it away, one pair after the other; returns how long each change took for the partner (ms). */
async function changePremium(pairs: readonly FreePair[]) {
  const took = { bought: [] as number[], ended: [] as number[] }
  for (const pair of pairs) {
    const { payer, partner, conversationId } = pair
    for (const person of [payer, partner]) expect((await send(person, conversationId)).status).toBe(402)
    await payer.client.ok(upgrade)
    // Both replicas have to apply it at once.
    for (let count = 0; count < 3; count += 1) expect((await send(payer, conversationId)).status).toBe(201)
    took.bought.push(await untilAnswered(201, partner, conversationId))
    await endPremium(pair)
    took.ended.push(await untilAnswered(402, partner, conversationId))
  }
  return took
}
async function underLoad<T>(work: () => Promise<T>): Promise<{ result: T; failures: string[] }> {
  const load = startMixedLoad(seats, { perSecond: requestsPerSecond })
  try {
    const result = await work()
    return { result, failures: (await load.stop()).failures }
  } finally {
    await load.stop()
  }
}
/** Each kind of change is in force in time for 99 of 100; prints how long it took. */
function expectInTime(title: string, took: Record<string, number[]>): void {
  const slowest = Object.entries(took).map(([change, times]) => {
    const sorted = times.toSorted((a, b) => a - b)
    const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? NaN)
    const line = `${title}, premium ${change}: p50 ${at(0.5)}, p99 ${at(0.99)} ms for the partner`
    process.stderr.write(`  ${line} (${sorted.length} changes)\n`)
    return at(0.99)
  })
  for (const p99 of slowest) expect(p99).toBeLessThan(bounds.premiumMs)
}
async function freePairs(count: number): Promise<FreePair[]> {
  const pairs: FreePair[] = []
  while (pairs.length < count) pairs.push(...(await Promise.all(Array.from({ length: 5 }, freePair))))
  return pairs
}

it('premium is in force for the payer at once and for the partner in two seconds, under load', async () => {
  const pairs = await freePairs(changesWithKafka)
  const { result: took, failures } = await underLoad(() => changePremium(pairs))
  expect(failures).toEqual([])
  expectInTime('With Kafka', took)
}, 300_000)

it('the same holds while Kafka is down', async () => {
  const pairs = await freePairs(changesWithoutKafka)
  await stack.engines.engine('kafka').kill('SIGSTOP')
  try {
    for (const { device } of seats) await nextState(device.live, ({ degraded }) => degraded, 30_000)
    const { result: took } = await underLoad(() => changePremium(pairs))
    expectInTime('Without Kafka', took)
  } finally {
    await stack.engines.engine('kafka').kill('SIGCONT')
  }
}, 300_000)

it('no message is accepted after the second in which premium ends', async () => {
  const { payer, partner, conversationId } = await freePair()
  const granted = {
    grantId: `short-${payer.user.id}`,
    userId: payer.user.id,
    source: 'admin',
    lengthMs: 10_000,
  } as const
  const grant = await transact(billing.ctx.connection, (session) =>
    appendGrant(billing.ctx, session, granted),
  )
  const endsAt = grant.endsAt.getTime()
  billing.ctx.outbox.kick()
  const accepted: number[] = []
  let refusedAfterEnd = 0
  while (Date.now() < endsAt + 2000) {
    const sentAt = Date.now()
    const { status, body } = await send(partner, conversationId)
    if (status === 201) accepted.push(Date.parse(body.createdAt))
    if (sentAt >= endsAt) {
      expect(status).toBe(402)
      refusedAfterEnd += 1
    }
  }
  expect(accepted.length).toBeGreaterThan(0)
  expect(Math.max(...accepted)).toBeLessThan(endsAt)
  expect(refusedAfterEnd).toBeGreaterThan(0)
}, 60_000)
