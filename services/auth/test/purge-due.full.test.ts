import { randomUUID } from 'node:crypto'
import { createAdminActionStore } from '@sumlock/service-kit/admin-actions'
import { systemClock } from '@sumlock/service-kit/clock'
import { createLogger } from '@sumlock/service-kit/logger'
import { runMigrations } from '@sumlock/service-kit/migrations'
import { transact } from '@sumlock/service-kit/transact'
import { openOwnDatabase } from '@sumlock/testing/own-database'
import type { Connection } from 'mongoose'
import type { Context } from '../src/context.ts'
import { migrations } from '../src/migrations.ts'
import { createKnownKeyStore } from '../src/stores/known-key-store.ts'
import { createMailLinkStore } from '../src/stores/mail-link-store.ts'
import { createMailRequestStore } from '../src/stores/mail-request-store.ts'
import { createPurgedIdStore } from '../src/stores/purged-id-store.ts'
import { createRetiredCodeStore } from '../src/stores/retired-code-store.ts'
import { createSessionStore } from '../src/stores/session-store.ts'
import { createUnlockBudgetStore } from '../src/stores/unlock-budget-store.ts'
import { createUserStore } from '../src/stores/user-store.ts'
import { purgeDue } from '../src/use-cases/purge-due.ts'

const logged: string[] = []
const logger = createLogger(
  { service: 'test', instance: 'test', level: 'warn' },
  { write: (line) => void logged.push((JSON.parse(line) as { msg: string }).msg) },
)
const now = new Date('2026-11-22T12:00:00.000Z')
const clock = { now: () => now, nowMs: () => now.getTime() }
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

let connection: Connection
let close: () => Promise<void>
let ctx: Context
const asked: string[] = []
beforeAll(async () => {
  ;({ connection, close } = await openOwnDatabase('auth', logger))
  await runMigrations(connection, migrations, { clock: systemClock(), logger })
  ctx = {
    connection,
    clock,
    logger,
    security: { note: () => undefined },
    users: createUserStore(connection),
    purgedIds: createPurgedIdStore(connection),
    retiredCodes: createRetiredCodeStore(connection),
    mailLinks: createMailLinkStore(connection),
    mailRequests: createMailRequestStore(connection),
    knownKeys: createKnownKeyStore(connection),
    unlockBudgets: createUnlockBudgetStore(connection),
    sessions: createSessionStore(connection, clock),
    adminActions: createAdminActionStore(connection),
    outbox: {
      add: (_: unknown, __: unknown, { userId }: { userId: string }) => Promise.resolve(asked.push(userId)),
      kick: () => undefined,
    },
  } as unknown as Context
})
beforeEach(() => {
  asked.length = 0
  logged.length = 0
})
afterAll(() => close?.())

const user = (_id: string, hours: number) => ({
  _id,
  usernameKey: _id,
  emailKey: _id,
  phone: _id,
  userCode: `code of ${_id}`,
  purgeAt: hoursAgo(hours),
})
const leftUsers = async () =>
  (await connection.collection('users').find().toArray()).map(({ _id }) => String(_id))

it('accounts that cannot be purged keep no other one waiting, however many they are', async () => {
  const poisoned = Array.from({ length: 101 }, (_, number) => user(`poisoned ${number}`, 500 - number))
  const rows = [...poisoned, user('last', 1), user('not due', -1)]
  await connection.collection('users').insertMany(rows as never)
  // The same code belongs to two accounts, so retiring one fails.
  const taken = poisoned.map(({ userCode }) => ({ _id: userCode }))
  await connection.collection('retired_codes').insertMany(taken as never)
  const owed = randomUUID()
  await connection
    .collection('purged_ids')
    .insertOne({ _id: owed, purgedAt: hoursAgo(30), publishedAt: hoursAgo(30) } as never)

  await purgeDue(ctx)
  expect(asked.slice(-2)).toEqual(['last', owed])
  expect(await leftUsers()).toEqual([...poisoned.map(({ _id }) => _id), 'not due'])
  expect(logged).toHaveLength(101)

  // The account is purged as soon as that is possible.
  await connection.collection('retired_codes').deleteOne({ _id: 'code of poisoned 7' as never })
  await purgeDue(ctx)
  expect(await leftUsers()).not.toContain('poisoned 7')
})

it('accounts that a restore has made due since 1970 are purged, and their erasure is requested', async () => {
  const [restored, owed] = [randomUUID(), randomUUID()]
  const longAgo = new Date(0)
  await connection.collection('users').insertOne({ ...user(restored, 1), purgeAt: longAgo } as never)
  await connection
    .collection('purged_ids')
    .insertOne({ _id: owed, purgedAt: longAgo, publishedAt: longAgo } as never)
  await purgeDue(ctx)
  expect(asked).toContain(restored)
  expect(asked).toContain(owed)
  expect(await leftUsers()).not.toContain(restored)
})

it('a purge whose request cannot be repeated keeps no other one waiting', async () => {
  const ids = Array.from({ length: 102 }, (_, number) => `purged ${number}`)
  await connection.collection('purged_ids').insertMany(
    ids.map((_id, number) => ({
      _id,
      purgedAt: hoursAgo(500),
      publishedAt: hoursAgo(300 - number),
    })) as never,
  )
  await connection.db!.command({ collMod: 'purged_ids', validator: { _id: 'purged 101' } })
  try {
    await purgeDue(ctx)
  } finally {
    await connection.db!.command({ collMod: 'purged_ids', validator: {} })
  }
  expect(asked).toEqual(['purged 101'])
})

it('ends the open sessions of a person without reading those that had ended before', async () => {
  const userId = randomUUID()
  const session = (revokedAt: Date | null) => ({
    _id: randomUUID(),
    cookieHash: randomUUID(),
    userId,
    revokedAt,
  })
  const open = [session(null), session(null)]
  const ended = Array.from({ length: 40 }, () => session(hoursAgo(1)))
  await connection.collection<{ _id: string }>('sessions').insertMany([...ended, ...open])
  await connection.db?.command({ profile: 2 })
  const ids = await transact(connection, (transaction) => ctx.sessions.revokeAll(userId, now, transaction))
  await connection.db?.command({ profile: 0 })
  expect(ids.sort()).toEqual(open.map(({ _id }) => _id).sort())
  const [read] = await connection
    .collection('system.profile')
    .find({ op: 'query', 'command.filter.userId': userId })
    .toArray()
  expect(read).toMatchObject({ docsExamined: 2 })
})
