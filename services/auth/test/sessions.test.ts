import { connectMongo } from '@sumlock/service-kit/mongo'
import { systemClock } from '@sumlock/service-kit/clock'
import { createLogger } from '@sumlock/service-kit/logger'
import { runMigrations } from '@sumlock/service-kit/migrations'
import { createUsers, databaseUrl, removeDatabases } from '@sumlock/deployment/provision'
import { randomNamespace, testEngines } from '@sumlock/testing/test-engines'
import { eventually } from '@sumlock/testing/wait'
import type { ClientSession, Connection } from 'mongoose'
import { hashOpaque } from '../src/domain/opaque.ts'
import { changeTimes } from '../src/domain/change-times.ts'
import { idleEnd } from '../src/domain/user.ts'
import type { Session } from '../src/domain/user.ts'
import { migrations } from '../src/migrations.ts'
import { changesOf, createSessionStore } from '../src/stores/session-store.ts'
import { createUserStore } from '../src/stores/user-store.ts'
import { exchangeSession } from '../src/use-cases/exchange-session.ts'
import { listSessionChanges } from '../src/use-cases/list-session-changes.ts'

const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
const clock = systemClock()
const namespace = randomNamespace()
const connections: Connection[] = []

async function openConnection(): Promise<Connection> {
  const { addresses, secrets } = await testEngines()
  const connection = await connectMongo(databaseUrl(addresses, secrets, namespace, 'auth'), logger)
  connections.push(connection)
  return connection
}

beforeAll(async () => {
  const { addresses, secrets } = await testEngines()
  await createUsers(addresses, secrets, namespace)
  await runMigrations(await openConnection(), migrations, { clock, logger })
})
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()))
  await removeDatabases((await testEngines()).addresses, namespace)
})

/** The other fields of a session, which these tests do not use. */
const onDevice = {
  device: 'Firefox on Android',
  addressFamily: 'IPv4' as const,
  lastSeenAt: new Date(),
  idleEndsAt: idleEnd(new Date()),
}

let created = 0
/** A store, and an unlocked session in it. */
async function setUp(times: Partial<typeof changeTimes> = {}) {
  const connection = await openConnection()
  const sessions = createSessionStore(connection, clock, { ...changeTimes, ...times })
  const sid = `session-${(created += 1)}`
  const later = new Date(Date.now() + 60_000)
  await sessions.insert({
    _id: sid,
    cookieHash: sid,
    userId: 'u1',
    createdAt: new Date(),
    expiresAt: later,
    isAdmin: false,
    ...onDevice,
    unlockStartedAt: new Date(),
    unlockedUntil: later,
    revokedAt: null,
  })
  const ask = (since?: string) => listSessionChanges({ sessions }, { since })
  const start = async () => (await ask()).cursor
  const named = async (since: string) => (await ask(since)).changed.map((change) => change.sid)
  return { connection, sessions, sid, ask, start, named }
}

/** Keeps the next write to a session waiting, as a slow disk would, until it is released. */
async function holdWritesTo(sid: string) {
  const connection = await openConnection()
  const transaction: ClientSession = await connection.startSession()
  transaction.startTransaction()
  const sessions = connection.collection<{ _id: string }>('sessions')
  await sessions.updateOne({ _id: sid }, { $set: { held: true } }, { session: transaction })
  const admin = connection.getClient().db('admin')
  return {
    /** Resolves when the write has reached the database and waits there. */
    isWaiting: () =>
      eventually(async () => {
        const waiting = { active: true, op: 'command', 'command.findAndModify': 'sessions' }
        const found = admin.aggregate([{ $currentOp: { allUsers: false } }, { $match: waiting }], {
          readConcern: { level: 'local' },
        })
        expect(await found.toArray()).toHaveLength(1)
      }),
    release: async () => {
      await transaction.abortTransaction()
      await transaction.endSession()
    },
  }
}

it('lists a session as changed once it is locked or revoked, not while it only exists', async () => {
  const { sessions, sid, start, named } = await setUp()
  const other = await setUp()
  const cursor = await start()
  expect(await named(cursor)).toEqual([])
  await sessions.lock(sid)
  expect(await named(cursor)).toEqual([sid])
  await sessions.revoke(other.sid, new Date())
  expect((await named(cursor)).sort()).toEqual([sid, other.sid].sort())
})

it('lists a session change that was stored after a later request was answered', async () => {
  const { sessions, sid, start, named } = await setUp()
  const held = await holdWritesTo(sid)
  const locking = sessions.lock(sid)
  await held.isWaiting()
  const cursor = await start()
  await held.release()
  await locking
  expect(await named(cursor)).toContain(sid)
})

it('lists a session change that took longer to be stored than answers look back', async () => {
  const lookBackMs = 200
  const { sessions, sid, start, named } = await setUp({ lookBackMs, storedWithinMs: 50 })
  const held = await holdWritesTo(sid)
  const locking = sessions.lock(sid)
  await held.isWaiting()
  const stampedBefore = Number(await start())
  const cursor = await eventually(async () => {
    const now = await start()
    expect(Number(now)).toBeGreaterThan(stampedBefore + 2 * lookBackMs)
    return now
  })
  await held.release()
  await locking
  expect(await named(cursor)).toContain(sid)
})

it('lists a session again when it is locked a second time after a writer died', async () => {
  const { sessions, sid, connection, start, named } = await setUp({ lookBackMs: 200 })
  await sessions.lock(sid)
  const justNow = new Date(Date.now() - 10_000)
  // A writer that died between a late write and its second stamp leaves this state.
  await connection
    .collection<{ _id: string }>('sessions')
    .updateOne({ _id: sid }, { $set: { changedAt: justNow } })
  const cursor = await start()
  expect(await sessions.lock(sid)).toBe(false)
  expect(await named(cursor)).toContain(sid)
})

it('reports only the first lock and the first revocation of a session as a change', async () => {
  const { sessions, sid } = await setUp()
  expect(await sessions.lock(sid)).toBe(true)
  expect(await sessions.lock(sid)).toBe(false)
  const now = new Date()
  expect(await sessions.revoke(sid, now)).toBe(true)
  expect(await sessions.revoke(sid, now)).toBe(false)
})

describe('an unlock', () => {
  const now = new Date()
  const until = new Date(Date.now() + 30_000)
  const unlocking = { unlockStartedAt: now, unlockedUntil: until, copyKey: 'c' }

  it('is refused when a lock was requested after its entry arrived, also for a locked session', async () => {
    const { sessions, sid, start, named } = await setUp({ unsettledMs: 0, lookBackMs: 0 })
    const unseen = await sessions.byId(sid, now)
    await sessions.lock(sid)
    expect(await sessions.unlock(unseen!, unlocking)).toBe(false)
    const seen = await sessions.byId(sid, now)
    const cursor = await start()
    expect(await sessions.lock(sid)).toBe(false)
    expect(await sessions.unlock(seen!, unlocking)).toBe(false)
    expect((await sessions.byId(sid, now))?.unlockedUntil).toBeNull()
    expect(await named(cursor)).toEqual([])
  })

  it('succeeds for a session that was never locked, and for one locked before its entry arrived', async () => {
    const { sessions, sid } = await setUp()
    expect(await sessions.unlock((await sessions.byId(sid, now))!, unlocking)).toBe(true)
    await sessions.lock(sid)
    expect(await sessions.unlock((await sessions.byId(sid, now))!, unlocking)).toBe(true)
    expect((await sessions.byId(sid, now))?.unlockedUntil).toEqual(until)
  })
})

it('answers the first request for session changes with a reset', async () => {
  const { ask } = await setUp()
  expect(await ask()).toMatchObject({ changed: [], reset: true })
})

it('lists session changes up to a number, and with one more says that any session may have changed', async () => {
  const { sessions, ask, start } = await setUp({ listedAtMost: 3, lookBackMs: 0 })
  const cursor = await start()
  const sids = []
  for (let count = 0; count < 3; count += 1) sids.push((await setUp()).sid)
  await sessions.stamp(sids)
  const answer = await ask(cursor)
  expect(answer.changed.map(({ sid }) => sid)).toEqual([...sids].sort())
  expect(answer.reset).toBe(false)
  await sessions.stamp([(await setUp()).sid])
  expect(await ask(cursor)).toMatchObject({ changed: [], reset: true })
})

it('lists a session change that another primary shows 29 seconds after its time', async () => {
  const { sid, connection, start, named } = await setUp()
  const cursor = await start()
  await connection
    .collection<{ _id: string }>('sessions')
    .updateOne({ _id: sid }, { $set: { changedAt: new Date(Number(cursor) - 29_000) } })
  expect(await named(cursor)).toContain(sid)
})

it('finds session changes in an index, without reading or sorting sessions', async () => {
  const { sessions, sid, connection } = await setUp()
  await sessions.lock(sid)
  const found = changesOf(connection.model('Session'), new Date(0)).limit(2)
  const { executionStats } = (await found.explain('executionStats')) as {
    executionStats: { nReturned: number; totalDocsExamined: number; totalKeysExamined: number }
  }
  expect(executionStats.nReturned).toBeGreaterThan(0)
  expect(executionStats.totalDocsExamined).toBe(0)
  expect(executionStats.totalKeysExamined).toBeLessThanOrEqual(3)
})

describe('the exchange of a session cookie', () => {
  /** An account, a session with the role at its sign-in, and a count of the reads of the account. */
  async function setUpExchange(account: { isAdmin: boolean }, atSignIn: { isAdmin?: boolean }) {
    const { connection, sessions, sid } = await setUp()
    const userId = `user of ${sid}`
    const stored = connection.collection<{ _id: string }>('sessions')
    await stored.updateOne(
      { _id: sid },
      { $set: { userId, cookieHash: hashOpaque(sid) }, $unset: { isAdmin: 1 } },
    )
    await stored.updateOne({ _id: sid }, { $set: atSignIn })
    const accounts = connection.collection<{ _id: string }>('users')
    const unique = { usernameKey: sid, emailKey: sid, userCode: sid }
    await accounts.insertOne({ _id: userId, ...unique, ...account })
    const users = createUserStore(connection)
    let reads = 0
    const byId = (id: string) => ((reads += 1), users.byId(id))
    const ctx = { clock, sessions, users: { byId } } as never
    const exchange = async () => ({
      isAdmin: (await exchangeSession(ctx, { cookie: sid, wanted: 'none' })).isAdmin,
      reads,
    })
    return { exchange, sessions, accounts, userId, sid, stored }
  }

  it('does not read the account when the session is not an administrator’s', async () => {
    const { exchange } = await setUpExchange({ isAdmin: false }, { isAdmin: false })
    expect(await exchange()).toEqual({ isAdmin: false, reads: 0 })
  })

  it('reads the account when the session is an administrator’s', async () => {
    const { exchange } = await setUpExchange({ isAdmin: true }, { isAdmin: true })
    expect(await exchange()).toEqual({ isAdmin: true, reads: 1 })
  })

  it('uses the role of the account when it was withdrawn', async () => {
    const { exchange } = await setUpExchange({ isAdmin: false }, { isAdmin: true })
    expect(await exchange()).toMatchObject({ isAdmin: false })
  })

  it('refuses an administrator’s session whose account does not exist', async () => {
    const { exchange, accounts, userId } = await setUpExchange({ isAdmin: true }, { isAdmin: true })
    await accounts.deleteOne({ _id: userId })
    await expect(exchange()).rejects.toMatchObject({ code: 'no_session' })
  })

  it('says in each token when the present unlock began', async () => {
    const { sid, sessions } = await setUpExchange({ isAdmin: false }, { isAdmin: false })
    const claimed: { unlockedAtMs: number }[] = []
    const forEach = (subject: { unlockedAtMs: number }) => {
      claimed.push(subject)
      return { tokens: {}, expiresAt: clock.now() }
    }
    const exchange = () =>
      exchangeSession({ clock, sessions, tokens: { forEach } } as never, { cookie: sid, wanted: 'each' })
    const startedAt = new Date(clock.nowMs() - 1)
    const unlocked = { unlockedUntil: new Date(clock.nowMs() + 60_000), copyKey: 'key' }
    await sessions.unlock({ _id: sid }, { ...unlocked, unlockStartedAt: startedAt })
    await exchange()
    // A second unlock of the unlocked session.
    const again = { unlockStartedAt: clock.now(), unlockedSince: startedAt }
    await sessions.unlock({ _id: sid }, { ...unlocked, ...again })
    await exchange()
    await sessions.lock(sid)
    await exchange()
    expect(claimed.map(({ unlockedAtMs }) => unlockedAtMs)).toEqual([
      startedAt.getTime(),
      startedAt.getTime(),
      0,
    ])
  })

  it('gives a running session the administrator role, and lists it as changed', async () => {
    const { exchange, accounts, sessions, userId, sid } = await setUpExchange(
      { isAdmin: false },
      { isAdmin: false },
    )
    const since = await sessions.changesSince(null)
    await accounts.updateOne({ _id: userId }, { $set: { isAdmin: true } })
    await sessions.markAdmin(userId)
    expect(await exchange()).toMatchObject({ isAdmin: true })
    expect((await sessions.changesSince(since.now)).rows).toContainEqual(
      expect.objectContaining({ _id: sid }),
    )
  })

  it('marks sessions without a role as not an administrator’s, except those of administrators', async () => {
    const common = await setUpExchange({ isAdmin: false }, {})
    const admin = await setUpExchange({ isAdmin: true }, {})
    const migration = migrations.find(({ id }) => id === '0002-session-changes')
    await migration?.up(connections[0] as Connection)
    const marked = async ({ stored, sid }: typeof common) =>
      (await stored.findOne({ _id: sid }))?.['isAdmin' as never]
    expect(await marked(common)).toBe(false)
    expect(await marked(admin)).toBeUndefined()
  })
})

describe('the end of a session', () => {
  const day = 86_400_000
  const start = new Date('2030-01-01T00:00:00.000Z')
  const after = (days: number) => new Date(start.getTime() + days * day)
  const store = async (row: Partial<Session>) => {
    const sessions = createSessionStore(await openConnection(), clock)
    const _id = `session-${(created += 1)}`
    const base = {
      _id,
      cookieHash: _id,
      userId: _id,
      createdAt: start,
      expiresAt: after(90),
      revokedAt: null,
    }
    const rest = { ...onDevice, isAdmin: false, unlockStartedAt: null, unlockedUntil: null }
    await sessions.insert({ ...base, ...rest, ...row })
    return {
      sessions,
      isAlive: async (days: number) => (await sessions.byId(_id, after(days))) !== null,
      see: (days: number) => sessions.see(_id, after(days), idleEnd(after(days))),
    }
  }

  it('comes after fourteen days without a request, each of which moves it, and after ninety in any case', async () => {
    const { isAlive, see } = await store({ idleEndsAt: idleEnd(start) })
    expect(await isAlive(13.9)).toBe(true)
    expect(await isAlive(14)).toBe(false)
    await see(13)
    expect(await isAlive(26.9)).toBe(true)
    for (let days = 26; days < 90; days += 13) await see(days)
    expect(await isAlive(89.9)).toBe(true)
    expect(await isAlive(90)).toBe(false)
  })

  it('is not moved by a request that comes too late', async () => {
    const { isAlive, see } = await store({ idleEndsAt: idleEnd(start) })
    await see(15)
    expect(await isAlive(15)).toBe(false)
  })
})
