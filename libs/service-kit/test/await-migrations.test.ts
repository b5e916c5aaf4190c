import { createUsers, databaseUrl, removeDatabases } from '@sumlock/deployment/provision'
import { freePorts } from '@sumlock/dev/processes/ports'
import { awaitMigrations } from '@sumlock/service-kit/await-migrations'
import { systemClock } from '@sumlock/service-kit/clock'
import { createLogger } from '@sumlock/service-kit/logger'
import { runMigrations } from '@sumlock/service-kit/migrations'
import type { Migration } from '@sumlock/service-kit/migrations'
import { connectMongo } from '@sumlock/service-kit/mongo'
import { randomNamespace, testEngines } from '@sumlock/testing/test-engines'
import { eventually } from '@sumlock/testing/wait'
import type { Connection } from 'mongoose'

const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
const namespace = randomNamespace()
const migration = (id: string): Migration => ({
  id,
  up: async (connection) => void (await connection.collection('runs').insertOne({ migration: id })),
})
const migrations = [migration('0001-a'), migration('0002-b')]

let connection: Connection
let port: number
beforeAll(async () => {
  const { addresses, secrets } = await testEngines()
  await createUsers(addresses, secrets, namespace)
  connection = await connectMongo(databaseUrl(addresses, secrets, namespace, 'notify'), logger)
  port = (await freePorts(1))[0] as number
})
afterAll(async () => {
  await connection.close()
  await removeDatabases((await testEngines()).addresses, namespace)
})

const get = async (path: string) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  return { status: response.status, body: await response.json() }
}

it('keeps a service alive but not ready until the runner has applied the migrations, and applies none itself', async () => {
  await runMigrations(connection, migrations.slice(0, 1), { clock: systemClock(), logger })
  let isReady = false
  const config = { HOST: '127.0.0.1', INTERNAL_PORT: port }
  const waiting = awaitMigrations(connection, migrations, { config, logger }).then(() => (isReady = true))

  expect(await eventually(() => get('/readyz'))).toEqual({
    status: 503,
    body: { ok: false, failing: { migrations: 'pending: 0002-b' } },
  })
  expect(await get('/livez')).toEqual({ status: 200, body: { ok: true } })
  expect(isReady).toBe(false)
  expect(await connection.collection('runs').countDocuments()).toBe(1)

  await runMigrations(connection, migrations, { clock: systemClock(), logger })
  await waiting
  // The port is free for the service itself.
  await expect(get('/livez')).rejects.toThrow('fetch failed')
})

it('opens no port when nothing is pending', async () => {
  await runMigrations(connection, migrations, { clock: systemClock(), logger })
  await awaitMigrations(connection, migrations, {
    config: { HOST: 'not an address', INTERNAL_PORT: port },
    logger,
  })
})
