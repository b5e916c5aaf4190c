import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AppError } from '@sumlock/service-kit/app-error'
import { systemClock } from '@sumlock/service-kit/clock'
import type { Clock } from '@sumlock/service-kit/clock'
import { createLogger } from '@sumlock/service-kit/logger'
import { runMigrations } from '@sumlock/service-kit/migrations'
import { connectMongo } from '@sumlock/service-kit/mongo'
import { createUsers, databaseUrl, removeDatabases } from '@sumlock/deployment/provision'
import { randomNamespace, testEngines } from '@sumlock/testing/test-engines'
import type { Connection } from 'mongoose'
import type { Context } from '../src/context.ts'
import { createTryCap } from '../src/infrastructure/try-cap.ts'
import { decideTry, emptyBudget } from '../src/domain/unlock-budget.ts'
import type { PinTry } from '../src/domain/unlock-budget.ts'
import { migrations } from '../src/migrations.ts'
import { createSessionStore } from '../src/stores/session-store.ts'
import { createUnlockBudgetStore } from '../src/stores/unlock-budget-store.ts'
import { createUserStore } from '../src/stores/user-store.ts'
import { checkPin } from '../src/use-cases/check-pin.ts'
import type { PinEntry } from '../src/use-cases/check-pin.ts'
import { lock } from '../src/use-cases/lock.ts'
import { unlock } from '../src/use-cases/unlock.ts'

const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
const namespace = randomNamespace()
let connections: Connection[]

beforeAll(async () => {
  const { addresses, secrets } = await testEngines()
  await createUsers(addresses, secrets, namespace)
  const url = databaseUrl(addresses, secrets, namespace, 'auth')
  connections = await Promise.all([1, 2].map(() => connectMongo(url, logger)))
})
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()))
  await removeDatabases((await testEngines()).addresses, namespace)
})

/** The context of one auth replica, reduced to PINs; `compared` is called for each entry that was compared and wrong. */
function replica(connection: Connection, clock: Clock, compared: () => void = () => undefined): Context {
  return {
    clock,
    security: { note: (what: string) => what === 'wrong-number' && compared() },
    users: createUserStore(connection),
    sessions: createSessionStore(connection, clock),
    unlockBudgets: createUnlockBudgetStore(connection),
    tryCap: createTryCap(),
    pins: {
      entryMac: (_userId: string, entry: string) => entry,
      mac: (_userId: string, pin: string) => pin,
      matches: (_userId: string, pin: string, pinMac: string) => pin === pinMac,
    },
    publishInvalidation: () => undefined,
  } as unknown as Context
}

/** A try in a session in which the PIN was never right. */
const tryPin = async (ctx: Context, entry: PinEntry, way: PinTry['way']) =>
  checkPin(ctx, await ctx.users.byId(entry.userId), entry, { way, hadPin: false })

async function userWith(fields: object): Promise<string> {
  const userId = randomUUID()
  const unique = { usernameKey: userId, emailKey: userId, userCode: userId }
  const row = { _id: userId, ...unique, ...fields }
  await (connections[0] as Connection).collection('users').insertOne(row as never)
  return userId
}

it.each([
  // Without a row the first insert wins; with one, the compare-and-set decides.
  ['never tried before', false],
  ['tried before', true],
])(
  'compares at most one entry a second of many at once on two replicas, and counts each, when the account was %s',
  async (_when, hasRow) => {
    const userId = await userWith({ pinMac: '2468' })
    let comparisons = 0
    const replicas = connections.map((connection) =>
      replica(connection, systemClock(), () => void (comparisons += 1)),
    )
    if (hasRow) await replicas[0]?.unlockBudgets.write(userId, 0, emptyBudget(new Date()))
    const startedAt = performance.now()
    const answers = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        tryPin(
          replicas[index % 2] as Context,
          { userId, sessionId: randomUUID(), pin: `${1000 + index}` },
          'password-mode',
        ),
      ),
    )
    const tookSeconds = (performance.now() - startedAt) / 1000
    expect(answers.map((answer) => answer.status === 'rejected' && (answer.reason as AppError).code)).toEqual(
      answers.map(() => 'wrong_pin'),
    )
    // On a busy machine only the first entry may be in time. The unit test of the rule shows that the turn passes on.
    expect(comparisons).toBeGreaterThanOrEqual(1)
    expect(comparisons).toBeLessThanOrEqual(1 + Math.floor(tookSeconds))
    const stored = await (replicas[0] as Context).unlockBudgets.read(userId)
    expect(stored?.budget).toMatchObject({ explicit: comparisons, wrongEntries: comparisons })
  },
)

it('stores the unlock budget exactly as the rule computes it, entry after entry', async () => {
  const userId = await userWith({ pinMac: '2468' })
  let nowMs = Date.UTC(2026, 0, 1)
  const clock = { nowMs: () => nowMs, now: () => new Date(nowMs) }
  const ctx = replica(connections[0] as Connection, clock)
  let expected = emptyBudget(clock.now())
  const ways = ['password-mode', 'probe', 'digits'] as const
  for (let index = 0; index < 90; index += 1) {
    nowMs += 1000 * (2 + ((index * 7919) % 20_000))
    const [way, sessionId] = [ways[index % 3] as PinTry['way'], `session-${index % 2}`]
    const isRight = index % 11 === 0
    const pin = isRight ? '2468' : `${3000 + index}`
    const pinTry = { id: 'any', sessionId, way, entryMac: pin, prefixMacs: [], arrivedAt: clock.now() }
    const decision = decideTry(expected, pinTry, clock.now())
    if (decision.verdict === 'compare') expected = isRight ? decision.ifRight : decision.ifWrong
    const accepted = await tryPin(ctx, { userId, sessionId, pin }, way).then(
      () => true,
      () => false,
    )
    expect(accepted).toBe(isRight && decision.verdict === 'compare')
    expect((await ctx.unlockBudgets.read(userId))?.budget).toEqual(expected)
  }
  expect(expected.explicit + expected.soft).toBeGreaterThan(0)
})

it('keeps a session locked when a lock succeeded while a right entry waited', async () => {
  const userId = await userWith({ pinMac: '2468' })
  const sessionId = randomUUID()
  const ctx = replica(connections[0] as Connection, systemClock())
  const later = new Date(Date.now() + 60_000)
  await ctx.sessions.insert({
    _id: sessionId,
    cookieHash: sessionId,
    userId,
    createdAt: new Date(),
    expiresAt: later,
    unlockStartedAt: null,
    unlockedUntil: null,
    revokedAt: null,
    isAdmin: false,
    device: 'Firefox on Android',
    addressFamily: 'IPv4',
    lastSeenAt: new Date(),
    idleEndsAt: later,
  })
  let reserved: () => void = () => undefined
  const isWaiting = new Promise<void>((resolve) => (reserved = resolve))
  const { reserve } = ctx.unlockBudgets
  ctx.unlockBudgets.reserve = (...args) => reserve(...args).finally(reserved)
  const heldBy = { userId, sessionId, pin: '1111' }
  await expect(tryPin(ctx, heldBy, 'digits')).rejects.toMatchObject({ code: 'wrong_pin' })
  const unlocking = unlock(ctx, { userId, sessionId, pin: '2468' }, 'password-mode')
  await isWaiting
  await lock(ctx, { sessionId, userId })
  await expect(unlocking).rejects.toMatchObject({ code: 'locked' })
  expect((await ctx.sessions.byId(sessionId, new Date()))?.unlockedUntil).toBeNull()
  expect((await ctx.unlockBudgets.read(userId))?.budget).toMatchObject({ explicit: 0, wrongEntries: 0 })
})

it('answers no entry, right or wrong, before its count is stored', async () => {
  for (const pin of ['1111', '2468']) {
    const userId = await userWith({ pinMac: '2468' })
    const ctx = replica(connections[0] as Connection, systemClock())
    const { write } = ctx.unlockBudgets
    const whileUncounted: unknown[] = []
    ctx.unlockBudgets.write = async (...args) => {
      // An answer that does not wait for this write would come within this turn.
      await nextTurn()
      whileUncounted.push(await Promise.race([answered, Promise.resolve('waiting')]))
      return write(...args)
    }
    const answered = tryPin(ctx, { userId, sessionId: 'own', pin }, 'password-mode').then(
      () => 'right',
      () => 'wrong',
    )
    expect(await answered).toBe(pin === '2468' ? 'right' : 'wrong')
    expect(whileUncounted).toEqual(['waiting'])
  }
})

it.each(['1111', '2468'])(
  'answers the entry %s neither right nor wrong when its count may not be stored, and counts it at most once',
  async (pin) => {
    const userId = await userWith({ pinMac: '2468' })
    const ctx = replica(connections[0] as Connection, systemClock())
    const { write } = ctx.unlockBudgets
    const lost = new Error('the connection broke')
    // The first write does not reach the database, and the answer to the second one is lost.
    ctx.unlockBudgets.write = () => Promise.reject(lost)
    const entry = { userId, sessionId: 'own', pin }
    await expect(tryPin(ctx, entry, 'password-mode')).rejects.toBe(lost)
    expect(await ctx.unlockBudgets.read(userId)).toBeNull()
    ctx.unlockBudgets.write = (...args) => write(...args).then(() => Promise.reject(lost))
    await expect(tryPin(ctx, entry, 'password-mode')).rejects.toBe(lost)
    const wrongEntries = pin === '2468' ? 0 : 1
    expect((await ctx.unlockBudgets.read(userId))?.budget).toMatchObject({
      wrongEntries,
      explicit: wrongEntries,
      sessions: { own: { explicit: wrongEntries } },
    })
  },
)

it('decides a right entry anew when another session was faster, and keeps that session’s count', async () => {
  const userId = await userWith({ pinMac: '2468' })
  const ctx = replica(connections[0] as Connection, systemClock())
  const { write } = ctx.unlockBudgets
  ctx.unlockBudgets.write = async (...args) => {
    ctx.unlockBudgets.write = write
    const thief = { userId, sessionId: 'thief', pin: '1111' }
    await expect(tryPin(ctx, thief, 'password-mode')).rejects.toMatchObject({ code: 'wrong_pin' })
    return write(...args)
  }
  await tryPin(ctx, { userId, sessionId: 'own', pin: '2468' }, 'password-mode')
  expect((await ctx.unlockBudgets.read(userId))?.budget).toMatchObject({
    explicit: 1,
    wrongEntries: 0,
    sessions: { own: { explicit: 0 }, thief: { explicit: 1 } },
  })
})

it('carries a count and a pause in the row of the user over into the budget, also when it runs twice', async () => {
  const connection = connections[0] as Connection
  const pausedUntil = new Date(Date.now() + 3_600_000)
  const userId = await userWith({ pinMac: '2468', explicitFailures: 17, pausedUntil })
  const steps = ['0004-unlock-budgets', '0017-one-shape'].map((id) =>
    migrations.find((one) => one.id === id)!,
  )
  await runMigrations(connection, steps, { clock: systemClock(), logger })
  for (const { up } of steps) await up(connection)
  const ctx = replica(connection, systemClock())
  const stored = await ctx.unlockBudgets.read(userId)
  expect(stored?.budget).toEqual({ ...emptyBudget(new Date()), explicit: 17, pausedUntil, wrongEntries: 17 })
  const refused = tryPin(ctx, { userId, sessionId: 'own', pin: '2468' }, 'password-mode')
  await expect(refused).rejects.toMatchObject({ code: 'wrong_pin' })
})
