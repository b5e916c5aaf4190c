import { randomUUID } from 'node:crypto'
import { purgeAcknowledged } from '@sumlock/contracts/purge-events'
import { toRecord } from '@sumlock/bus/envelope'
import { manyRows } from '@sumlock/testing/config'
import { openNamespace } from '@sumlock/testing/namespace'
import type { Namespace } from '@sumlock/testing/namespace'
import { repeatedWorkOf } from '@sumlock/testing/repeated-work'
import { monitored, recordCommands } from '@sumlock/testing/watch-commands'
import { readConfig } from '../src/config.ts'
import { purgeAcknowledgementHandlers } from '../src/consumers/purge-acknowledgements.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { pruneDue } from '../src/use-cases/prune-due.ts'
import { purgeDue } from '../src/use-cases/purge-due.ts'
import { writeDueMails } from '../src/use-cases/write-due-mails.ts'

const many = manyRows.count
const mostPerCommand = 5000
const timeoutMs = 600_000

let namespace: Namespace
let ctx: Context
let commandsOf: ReturnType<typeof recordCommands>
beforeAll(async () => {
  namespace = await openNamespace()
  const environment = namespace.environmentOf('auth')
  ctx = await createContext(
    readConfig({ ...environment, MONGO_URL: monitored(String(environment['MONGO_URL'])) }),
  )
  commandsOf = recordCommands([ctx.connection])
})
afterAll(async () => {
  await ctx?.close()
  await namespace?.close()
})

const past = new Date('2026-01-01')
const later = new Date(Date.now() + 86_400_000)
const userId = randomUUID()
const insert = async (name: string, row: object) => {
  for (let from = 0; from < many; from += 1000) {
    const keys = () => ({ _id: randomUUID(), cookieHash: randomUUID(), tokenHash: randomUUID() })
    const rows = Array.from({ length: 1000 }, () => ({ ...keys(), ...row }))
    await ctx.connection.collection<{ _id: string }>(name).insertMany(rows)
  }
}

interface Work {
  prepare(): Promise<unknown>
  run(): Promise<unknown>
  /** So many rows are written at least. */
  rows: number
}
const work: Record<string, Work> = {
  'purge.acknowledged.v1': {
    prepare: () => ctx.connection.collection('purged_ids').insertOne({ _id: 'gone' as never }),
    async run() {
      const data = { userId: 'gone', owner: 'billing' } as const
      const { value } = toRecord(purgeAcknowledged, data, { source: 'billing', time: new Date() })
      for (const { handle } of purgeAcknowledgementHandlers(ctx)) await handle(JSON.parse(value) as never)
      await ctx.connection.collection('purged_ids').deleteMany({})
    },
    rows: 1,
  },
  pruning: {
    async prepare() {
      await insert('sessions', { expiresAt: past })
      await insert('sessions', { expiresAt: later, unlockedUntil: past, copyKey: 'c' })
      await insert('sessions', { expiresAt: later, idleEndsAt: past, device: 'd' })
      for (const name of ['phone_verifications', 'mail_links', 'phone_code_limits'])
        await insert(name, { expiresAt: past })
      await insert('sign_in_attempts', { lastAt: past })
    },
    run: () => pruneDue(ctx, new Date()),
    rows: 7 * many,
  },
  purging: {
    async prepare() {
      await ctx.connection.collection('users').insertOne({
        _id: userId as never,
        ...{ usernameKey: userId, emailKey: userId, userCode: userId, purgeAt: past },
      })
      await insert('sessions', { userId, expiresAt: later, revokedAt: past })
      await insert('access_log', { userId, adminId: 'admin', at: new Date() })
      await insert('access_log', { userId: 'other', adminId: userId, at: new Date() })
    },
    async run() {
      await purgeDue(ctx)
      await ctx.connection.collection('purged_ids').updateMany({}, { $set: { publishedAt: past } })
      await purgeDue(ctx)
    },
    rows: 3 * many,
  },
  // One transaction for each.
  'writing mails': {
    prepare: () =>
      ctx.connection.collection('mail_requests').insertMany(
        Array.from({ length: 50 }, () => ({
          ...{ _id: randomUUID() as never, kind: 'reset-password', email: 'a@b.co', emailKey: 'a@b.co' },
          ...{ createdAt: past, dueAt: past, expiresAt: later },
        })),
      ),
    run: () => writeDueMails(ctx),
    rows: 100,
  },
}

it('every handler and repeated work of auth is tried below', () => {
  const types = purgeAcknowledgementHandlers(ctx).map(({ event }) => event.type)
  expect(Object.keys(work).sort()).toEqual([...types, ...repeatedWorkOf('auth')].sort())
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
