import { randomUUID } from 'node:crypto'
import { systemClock } from '@sumlock/service-kit/clock'
import { createLogger } from '@sumlock/service-kit/logger'
import { runMigrations } from '@sumlock/service-kit/migrations'
import { openOwnDatabase } from '@sumlock/testing/own-database'
import type { Connection } from 'mongoose'
import { migrations } from '../src/migrations.ts'
import { createMailLinkStore } from '../src/stores/mail-link-store.ts'
import { createPhoneVerificationStore } from '../src/stores/phone-verification-store.ts'
import { createSendLimitStore } from '../src/stores/send-limit-store.ts'
import { createSessionStore } from '../src/stores/session-store.ts'
import { createSignInAttemptStore } from '../src/stores/sign-in-attempt-store.ts'
import { pruneDue } from '../src/use-cases/prune-due.ts'

const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
const now = new Date('2026-11-22T12:00:00.000Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

let connection: Connection
let close: () => Promise<void>
beforeAll(async () => {
  ;({ connection, close } = await openOwnDatabase('auth', logger))
  await runMigrations(connection, migrations, { clock: systemClock(), logger })
})
afterEach(async () => {
  for (const { name } of await connection.listCollections()) await connection.collection(name).deleteMany()
})
afterAll(() => close?.())

const prune = (sessions = createSessionStore(connection, systemClock())) =>
  pruneDue(
    {
      sessions,
      phoneVerifications: createPhoneVerificationStore(connection),
      mailLinks: createMailLinkStore(connection),
      sendLimits: createSendLimitStore(connection),
      signInAttempts: createSignInAttemptStore(connection),
    },
    now,
  )
const insert = (collection: string, rows: readonly object[]) =>
  connection
    .collection(collection)
    .insertMany(rows.map((row) => ({ _id: randomUUID(), cookieHash: randomUUID(), ...row })) as never)
const left = async (collection: string) =>
  (await connection.collection(collection).find().sort({ kept: 1 }).toArray()).map(
    (row) => row['kept'] as string,
  )

it('deletes sessions, revoked or not, a day after their cookie has expired, and no other', async () => {
  await insert('sessions', [
    { expiresAt: hoursAgo(25), revokedAt: null },
    { expiresAt: hoursAgo(25), revokedAt: hoursAgo(100) },
    { expiresAt: hoursAgo(23), revokedAt: null, kept: 'over since yesterday' },
    { expiresAt: hoursAgo(-1), revokedAt: hoursAgo(1), kept: 'revoked' },
    { expiresAt: hoursAgo(-1), revokedAt: null, kept: 'signed in' },
  ])
  expect(await prune()).toMatchObject({ sessions: 2 })
  expect(await left('sessions')).toEqual(['over since yesterday', 'revoked', 'signed in'])
})

it('forgets the key to the copy on the device of an unlock that ended by time, and of no other', async () => {
  const copyKey = 'c'
  await insert('sessions', [
    { expiresAt: hoursAgo(-1), unlockedUntil: hoursAgo(1), copyKey, kept: 'over' },
    { expiresAt: hoursAgo(-1), unlockedUntil: hoursAgo(-1), copyKey, kept: 'unlocked' },
  ])
  expect(await prune()).toMatchObject({ copyKeys: 1 })
  const rows = await connection.collection('sessions').find({ copyKey }).toArray()
  expect(rows.map(({ kept }) => kept as string)).toEqual(['unlocked'])
})

it('forgets the device of a session that ended by idling, and of no other', async () => {
  const device = { device: 'Firefox on Android', addressFamily: 'IPv4', lastSeenAt: hoursAgo(400) }
  await insert('sessions', [
    { expiresAt: hoursAgo(-1), idleEndsAt: hoursAgo(1), ...device, kept: 'idle' },
    { expiresAt: hoursAgo(-1), idleEndsAt: hoursAgo(-1), ...device, kept: 'in use' },
  ])
  expect(await prune()).toMatchObject({ idleDevices: 1, sessions: 0 })
  const rows = await connection.collection('sessions').find().sort({ kept: 1 }).toArray()
  expect(rows.map(({ kept, device: left }) => [kept as string, left as string | undefined])).toEqual([
    ['idle', undefined],
    ['in use', 'Firefox on Android'],
  ])
  for (const field of Object.keys(device)) expect(rows[0]).not.toHaveProperty(field)
})

it('deletes phone numbers an hour after the code or proof has expired', async () => {
  await insert('phone_verifications', [
    { phone: '+15550000001', expiresAt: hoursAgo(2), verifiedAt: null },
    { phone: '+15550000002', expiresAt: hoursAgo(2), verifiedAt: hoursAgo(3), usedAt: hoursAgo(2) },
    { phone: '+15550000003', expiresAt: hoursAgo(0.5), verifiedAt: null, kept: 'a moment ago' },
    { phone: '+15550000004', expiresAt: hoursAgo(-0.1), verifiedAt: null, kept: 'code' },
  ])
  expect(await prune()).toMatchObject({ phoneVerifications: 2 })
  expect(await left('phone_verifications')).toEqual(['a moment ago', 'code'])
})

it('deletes expired counters', async () => {
  await insert('sign_in_attempts', [
    { failures: 9, lastAt: hoursAgo(25) },
    { failures: 9, lastAt: hoursAgo(23), kept: 'failed today' },
  ])
  await insert('phone_code_limits', [
    { sentAt: [hoursAgo(2)], expiresAt: hoursAgo(1) },
    { sentAt: [hoursAgo(0.5)], expiresAt: hoursAgo(-0.5), kept: 'sent just now' },
  ])
  expect(await prune()).toMatchObject({ signInAttempts: 1, sendLimits: 1 })
  expect(await left('sign_in_attempts')).toEqual(['failed today'])
  expect(await left('phone_code_limits')).toEqual(['sent just now'])
})

it('completes the other sweeps when one of them fails, and then fails', async () => {
  await insert('sign_in_attempts', [{ failures: 9, lastAt: hoursAgo(25) }])
  const sessions = createSessionStore(connection, systemClock())
  const failing = { ...sessions, pruneExpired: () => Promise.reject(new Error('the database is away')) }
  await expect(prune(failing)).rejects.toThrow('sessions: the database is away')
  expect(await left('sign_in_attempts')).toEqual([])
})

it('deletes more rows than fit into one batch, and finds them by an index', async () => {
  await insert(
    'sessions',
    Array.from({ length: 1201 }, () => ({ expiresAt: hoursAgo(100) })),
  )
  expect(await prune()).toMatchObject({ sessions: 1201 })
  expect(await left('sessions')).toEqual([])
  const plan = await connection
    .collection('sessions')
    .find({ expiresAt: { $lt: now } })
    .explain('queryPlanner')
  expect(JSON.stringify(plan)).toContain('"indexName":"expiresAt"')
})
