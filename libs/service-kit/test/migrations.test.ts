import { systemClock } from '@sumlock/service-kit/clock'
import { createLogger } from '@sumlock/service-kit/logger'
import { runMigrations } from '@sumlock/service-kit/migrations'
import type { Migration } from '@sumlock/service-kit/migrations'
import { connectMongo } from '@sumlock/service-kit/mongo'
import { databaseUrl, provision, unprovision } from '@sumlock/deployment/provision'
import { randomNamespace, testEngines } from '@sumlock/testing/engines'
import type { Connection } from 'mongoose'

const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
const options = { clock: systemClock(), logger }

let namespace: string
let connections: Connection[]

beforeEach(async () => {
  const { addresses, secrets } = await testEngines()
  namespace = randomNamespace()
  await provision(addresses, secrets, namespace)
  const url = databaseUrl(addresses, secrets, namespace, 'notify')
  connections = await Promise.all([1, 2, 3].map(() => connectMongo(url, logger)))
})
afterEach(async () => {
  await Promise.all(connections.map((connection) => connection.close()))
  await unprovision((await testEngines()).addresses, namespace)
})
const first = () => connections[0] as Connection

/** Writes one row each time it runs. */
const counted = (id: string): Migration => ({
  id,
  up: async (connection) => void (await connection.collection('runs').insertOne({ migration: id })),
})
const runs = async () =>
  (await first().collection('runs').find().sort({ _id: 1 }).toArray()).map(
    (row) => row['migration'] as string,
  )

it('applies each migration once, in order, however many replicas start together', async () => {
  const migrations = [counted('0001-a'), counted('0002-b'), counted('0003-c')]
  const ran = await Promise.all(
    connections.map((connection) => runMigrations(connection, migrations, options)),
  )
  expect(ran.flat().sort()).toEqual(['0001-a', '0002-b', '0003-c'])
  expect(await runs()).toEqual(['0001-a', '0002-b', '0003-c'])
  expect(await runMigrations(first(), [...migrations, counted('0004-d')], options)).toEqual(['0004-d'])
})

it('tries again when the database went away for a moment, and repeats nothing that was done', async () => {
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

it('gives up at once on a migration that is wrong, and lets the mended one run', async () => {
  const wrong: Migration = { id: '0001-a', up: () => Promise.reject(new Error('no such field')) }
  await expect(runMigrations(first(), [wrong], options)).rejects.toThrow('no such field')
  expect(await runMigrations(first(), [counted('0001-a')], options)).toEqual(['0001-a'])
})

it('overtakes a replica that died while migrating', async () => {
  await first()
    .collection('_migrations')
    .insertOne({ _id: 'lock' as never, owner: 'dead', until: new Date(Date.now() + 700) })
  const startedAt = performance.now()
  expect(await runMigrations(first(), [counted('0001-a')], options)).toEqual(['0001-a'])
  expect(performance.now() - startedAt).toBeGreaterThan(500)
})
