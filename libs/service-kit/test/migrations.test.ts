import { jest } from '@jest/globals'
import { systemClock } from '@sumlock/service-kit/clock'
import { createLogger } from '@sumlock/service-kit/logger'
import { pendingMigrations, runMigrations } from '@sumlock/service-kit/migrations'
import type { Migration } from '@sumlock/service-kit/migrations'
import { connectMongo } from '@sumlock/service-kit/mongo'
import { createUsers, databaseUrl, removeDatabases } from '@sumlock/deployment/provision'
import { randomNamespace, testEngines } from '@sumlock/testing/test-engines'
import { eventually } from '@sumlock/testing/wait'
import type { Connection } from 'mongoose'

const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
const options = { clock: systemClock(), logger }

let namespace: string
let connections: Connection[]

beforeEach(async () => {
  const { addresses, secrets } = await testEngines()
  namespace = randomNamespace()
  await createUsers(addresses, secrets, namespace)
  const url = databaseUrl(addresses, secrets, namespace, 'notify')
  connections = await Promise.all([1, 2, 3].map(() => connectMongo(url, logger)))
})
afterEach(async () => {
  await Promise.all(connections.map((connection) => connection.close()))
  await removeDatabases((await testEngines()).addresses, namespace)
})
const first = () => connections[0] as Connection
const second = () => connections[1] as Connection

/** Writes one row each time it runs. */
const counted = (id: string): Migration => ({
  id,
  up: async (connection) => void (await connection.collection('runs').insertOne({ migration: id })),
})
const runs = async () =>
  (await first().collection('runs').find().sort({ _id: 1 }).toArray()).map(
    (row) => row['migration'] as string,
  )

it('applies each migration once, in order, when several runners start together', async () => {
  const migrations = [counted('0001-a'), counted('0002-b'), counted('0003-c')]
  const ran = await Promise.all(
    connections.map((connection) => runMigrations(connection, migrations, options)),
  )
  expect(ran.flat().sort()).toEqual(['0001-a', '0002-b', '0003-c'])
  expect(await runs()).toEqual(['0001-a', '0002-b', '0003-c'])
  expect(await runMigrations(first(), [...migrations, counted('0004-d')], options)).toEqual(['0004-d'])
})

it('repeats a migration that lost the database for a moment, and none that was applied before', async () => {
  let attempts = 0
  const away = Object.assign(new Error('interrupted due to server monitor timeout'), {
    name: 'MongoPoolClearedOnNetworkError',
  })
  const interrupted: Migration = {
    id: '0002-b',
    up: async (connection) => {
      attempts += 1
      if (attempts === 1) throw away
      await counted('0002-b').up(connection)
    },
  }
  expect(await runMigrations(first(), [counted('0001-a'), interrupted], options)).toEqual([
    '0001-a',
    '0002-b',
  ])
  expect(await runs()).toEqual(['0001-a', '0002-b'])
})

it('fails at once on a migration with a permanent error, and applies its corrected version later', async () => {
  const wrong: Migration = { id: '0001-a', up: () => Promise.reject(new Error('no such field')) }
  await expect(runMigrations(first(), [wrong], options)).rejects.toThrow('no such field')
  expect(await runMigrations(first(), [counted('0001-a')], options)).toEqual(['0001-a'])
})

it('takes over the lock of a runner that died', async () => {
  await first()
    .collection('_migrations')
    .insertOne({ _id: 'lock' as never, owner: 'dead', until: new Date(Date.now() + 700) })
  const startedAt = performance.now()
  expect(await runMigrations(first(), [counted('0001-a')], options)).toEqual(['0001-a'])
  expect(performance.now() - startedAt).toBeGreaterThan(500)
})

describe('the lock of a migration that takes longer than the lock lasts', () => {
  beforeEach(() => {
    // Only the renewal runs on fake time; the driver keeps the real one.
    jest.useFakeTimers({
      doNotFake: [
        'Date',
        'hrtime',
        'nextTick',
        'performance',
        'queueMicrotask',
        'setImmediate',
        'setTimeout',
      ],
    })
  })
  afterEach(() => void jest.useRealTimers())

  let nowMs: number
  const clock = { nowMs: () => nowMs, now: () => new Date(nowMs) }
  const lockRow = () =>
    first()
      .collection('_migrations')
      .findOne({ _id: 'lock' as never })
  const passTwentySeconds = () => {
    nowMs += 20_000
    jest.advanceTimersByTime(20_000)
  }

  it('is renewed, so that no second runner starts the same migration', async () => {
    nowMs = Date.now()
    const refusals: unknown[] = []
    const fourMinutes: Migration = {
      id: '0001-slow',
      async up(connection) {
        await counted('0001-slow').up(connection)
        for (let step = 0; step < 12; step += 1) {
          passTwentySeconds()
          await eventually(
            async () => expect((await lockRow())?.['until']).toEqual(new Date(nowMs + 60_000)),
            { timeoutMs: 5000 },
          )
          await runMigrations(second(), [fourMinutes], { clock, logger, lockWaitMs: 0 }).catch(
            (error: unknown) => refusals.push(error),
          )
        }
      },
    }
    expect(await runMigrations(first(), [fourMinutes], { clock, logger })).toEqual(['0001-slow'])
    expect(await runs()).toEqual(['0001-slow'])
    expect(refusals).toHaveLength(12)
    expect(String(refusals[0])).toMatch(
      /^MigrationLockError: Another runner has held the migration lock of \w+_notify for 0 s\./,
    )
  })

  it('is not trusted after another runner took it over: the migration is not recorded as applied', async () => {
    nowMs = Date.now()
    const overtaken: Migration = {
      id: '0001-a',
      up: async (connection) =>
        void (await connection
          .collection('_migrations')
          .updateOne({ _id: 'lock' as never }, { $set: { owner: 'another' } })),
    }
    await expect(runMigrations(first(), [overtaken], { clock, logger })).rejects.toThrow(
      'Another runner took over the migration lock',
    )
    expect(await pendingMigrations(first(), [overtaken])).toEqual([overtaken])
  })
})
