import { randomUUID } from 'node:crypto'
import { toRecord } from '@sumlock/bus/envelope'
import { userPurgeRequested } from '@sumlock/contracts/auth-events'
import type { Purges } from '@sumlock/service-kit/purges'
import { openNamespace } from '@sumlock/testing/namespace'
import type { Namespace } from '@sumlock/testing/namespace'
import { readConfig } from '../src/config.ts'
import { purgeHandlers } from '../src/consumers/purges.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { jobKinds } from '../src/job-kinds.ts'

let namespace: Namespace
/** Two processes that run no job unless a test says so. */
let first: Context
let second: Context
/** The answers of auth, which does not run here, and its record of the people whose data were reported as erased. */
let isDue = true
const acknowledged: string[] = []
const purges: Purges = {
  confirm: () => Promise.resolve(isDue ? { isRepeated: false } : null),
  acknowledge: (userId) => Promise.resolve(void acknowledged.push(userId)),
}
beforeAll(async () => {
  namespace = await openNamespace()
  const open = async (index: number) => ({
    ...(await createContext(readConfig(namespace.environmentOf('billing', index)))),
    purges,
  })
  ;[first, second] = await Promise.all([open(0), open(1)])
})
afterAll(async () => {
  await Promise.all([first?.close(), second?.close()])
  await namespace?.close()
})

const rowsOf = (name: string) => first.connection.collection<{ _id: string }>(name)
/** Each collection has this many rows of a person, so some of them take several parts. */
const counts = {
  grants: 40,
  payments: 1200,
  mobile_subscriptions: 3,
  promo_code_redemptions: 700,
  subscription_gifts: 600,
}
const other = 'somebody else'
let leaverId: string

beforeEach(async () => {
  leaverId = randomUUID()
  isDue = true
  for (const name of [...Object.keys(counts), 'accounts', 'jobs', 'leases']) await rowsOf(name).deleteMany({})
  for (const [name, count] of Object.entries(counts)) {
    const rows = Array.from({ length: count }, (_, index) => {
      const row = { _id: randomUUID(), index, storeKey: randomUUID(), codeHash: randomUUID() }
      if (name !== 'subscription_gifts') return { ...row, userId: leaverId }
      const gift = { recipientEmail: 'friend@example.org', giftMessage: 'Dear friend' }
      // Somebody else gave the last ones.
      return index < 550
        ? { ...row, ...gift, buyerId: leaverId }
        : { ...row, ...gift, buyerId: other, redeemedBy: leaverId }
    })
    await rowsOf(name).insertMany(rows)
  }
  await rowsOf('accounts').insertOne({ _id: leaverId })
})

/** Delivers the request as Kafka does. */
async function requestPurge(): Promise<void> {
  const { value } = toRecord(userPurgeRequested, { userId: leaverId }, { source: 'auth', time: new Date() })
  for (const { handle } of purgeHandlers(first)) await handle(JSON.parse(value) as never)
}
const acknowledgements = () => acknowledged.filter((userId) => userId === leaverId).length

async function expectForgotten(): Promise<void> {
  for (const name of [...Object.keys(counts), 'accounts', 'jobs'])
    expect(JSON.stringify(await rowsOf(name).find().toArray())).not.toContain(leaverId)
  const holders = async (name: string, field: string) => [
    (await rowsOf(name).distinct(field)).filter((id) => id !== other),
    await rowsOf(name).countDocuments(),
  ]
  const [[standIn], count] = (await holders('payments', 'userId')) as [string[], number]
  expect(count).toBe(counts.payments)
  expect(await holders('grants', 'userId')).toEqual([[standIn], counts.grants])
  expect(await holders('subscription_gifts', 'buyerId')).toEqual([[standIn], counts.subscription_gifts])
  expect(await rowsOf('subscription_gifts').distinct('redeemedBy')).toEqual([standIn])
  expect(await rowsOf('subscription_gifts').countDocuments({ giftMessage: { $exists: false } })).toBe(550)
  expect(await rowsOf('promo_code_redemptions').countDocuments()).toBe(0)
}

it('a request to purge only notes a job, which keeps all payments under one random id and is acknowledged once', async () => {
  await requestPurge()
  expect(await rowsOf('payments').countDocuments({ userId: leaverId })).toBe(counts.payments)
  expect(acknowledgements()).toBe(0)
  await second.jobs.run(jobKinds(second))
  await expectForgotten()
  expect(acknowledgements()).toBe(1)
  // Kafka delivers it once more after a rebalance.
  await requestPurge()
  await second.jobs.run(jobKinds(second))
  await expectForgotten()
})

it('a request that auth does not confirm is dropped with the job, and nothing is forgotten', async () => {
  isDue = false
  await requestPurge()
  await second.jobs.run(jobKinds(second))
  expect(await rowsOf('jobs').countDocuments()).toBe(0)
  expect(await rowsOf('payments').countDocuments({ userId: leaverId })).toBe(counts.payments)
  expect(await rowsOf('accounts').countDocuments({ _id: leaverId })).toBe(1)
  expect(acknowledgements()).toBe(0)
})

it.each([
  ['ledger', 'moveGrants', 1],
  ['payments', 'replacePerson', 2],
  ['gifts', 'forgetBuyer', 1],
  ['ledger', 'removeAccount', 1],
] as const)(
  'goes on where a process was killed after %s.%s no. %i, under the same id',
  async (store, name, calls) => {
    await requestPurge()
    const { promise: died, resolve: die } = Promise.withResolvers<void>()
    const buried = new AbortController()
    const real = first[store][name as never] as (...args: unknown[]) => Promise<unknown>
    let count = 0
    const dying = async (...args: unknown[]) => {
      const result = await real(...args)
      if ((count += 1) < calls) return result
      die()
      return new Promise((_, reject) =>
        buried.signal.addEventListener('abort', () => reject(new Error('died'))),
      )
    }
    const ctx = { ...first, [store]: { ...first[store], [name]: dying } }
    const run = first.jobs.run(jobKinds(ctx), buried.signal)
    await died
    await rowsOf('leases').deleteMany({})
    await rowsOf('jobs').updateMany({}, { $set: { dueAt: new Date(0) } })
    await second.jobs.run(jobKinds(second))
    await expectForgotten()
    expect(acknowledgements()).toBe(1)
    buried.abort()
    await run
  },
)
