import { randomUUID } from 'node:crypto'
import { toRecord } from '@sumlock/bus/envelope'
import { manyRows } from '@sumlock/testing/config'
import { openNamespace } from '@sumlock/testing/namespace'
import type { Namespace } from '@sumlock/testing/namespace'
import { repeatedWorkOf } from '@sumlock/testing/repeated-work'
import { monitored, recordCommands } from '@sumlock/testing/watch-commands'
import { readConfig } from '../src/config.ts'
import { purgeHandlers } from '../src/consumers/purges.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { jobKinds } from '../src/job-kinds.ts'
import { runDue } from '../src/use-cases/run-due.ts'

const many = manyRows.count
const mostPerCommand = 5000
const timeoutMs = 600_000

let namespace: Namespace
let ctx: Context
let commandsOf: ReturnType<typeof recordCommands>
beforeAll(async () => {
  namespace = await openNamespace()
  const environment = namespace.environmentOf('billing')
  ctx = await createContext(
    readConfig({ ...environment, MONGO_URL: monitored(String(environment['MONGO_URL'])) }),
  )
  commandsOf = recordCommands([ctx.connection])
})
afterAll(async () => {
  await ctx?.close()
  await namespace?.close()
})

const past = new Date(0)
const userId = randomUUID()
const rowsOf = (name: string) => ctx.connection.collection<{ _id: string }>(name)
const insert = async (name: string, row: object) => {
  for (let from = 0; from < many; from += 1000) {
    const keys = () => ({ _id: randomUUID(), storeKey: randomUUID(), codeHash: randomUUID() })
    await rowsOf(name).insertMany(Array.from({ length: 1000 }, () => ({ ...keys(), ...row })))
  }
}
const ofPerson = async () => {
  for (const name of ['grants', 'payments', 'mobile_subscriptions', 'promo_code_redemptions'])
    await insert(name, { userId })
  await insert('subscription_gifts', { buyerId: userId })
  await insert('subscription_gifts', { redeemedBy: userId })
}

interface Work {
  prepare(): Promise<unknown>
  run(): Promise<unknown>
  /** So many rows are written at least. */
  rows: number
}
const work: Record<string, Work> = {
  'auth.user-purge-requested.v1': {
    prepare: ofPerson,
    async run() {
      const { value } = toRecord(userPurge(), { userId }, { source: 'auth', time: new Date() })
      for (const { handle } of purgeHandlers(ctx)) await handle(JSON.parse(value) as never)
    },
    rows: 1,
  },
  purge: { prepare: () => Promise.resolve(), run: () => ctx.jobs.run(jobKinds(ctx)), rows: 6 * many },
  'finishing payments and gifts': {
    async prepare() {
      await insert('subscription_gifts', { status: 'sent', expiresAt: past })
      await insert('promo_code_redemptions', { status: 'pending', createdAt: past })
      await insert('redeem_tries', { expiresAt: past })
      await insert('store_notifications', { seenAt: past })
    },
    run: () => runDue(ctx, new Date()),
    rows: 4 * many,
  },
}
const userPurge = () => (purgeHandlers(ctx)[0] as ReturnType<typeof purgeHandlers>[number]).event

it('every handler, job and repeated work of billing is tried below', () => {
  const types = purgeHandlers(ctx).map(({ event }) => event.type)
  const names = [...types, ...Object.keys(jobKinds(ctx)), ...repeatedWorkOf('billing')]
  expect(Object.keys(work).sort()).toEqual(names.sort())
})

it.each(Object.entries(work))(
  '%s writes 5,000 rows at most with a command, however much there is',
  async (name, { prepare, run, rows }) => {
    await prepare()
    const commands = await commandsOf(name, run)
    expect(commands.filter((one) => one.rows > mostPerCommand)).toEqual([])
    expect(commands.reduce((sum, one) => sum + one.rows, 0)).toBeGreaterThanOrEqual(rows)
  },
  timeoutMs,
)
