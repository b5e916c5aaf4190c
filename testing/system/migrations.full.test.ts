import { login } from '@sumlock/contracts/auth-routes'
import { databaseUrls } from '@sumlock/deployment/provision'
import type { Stack } from '@sumlock/dev/product/services'
import { migrateDatabases } from '@sumlock/jobs/migrate-databases'
import { withDatabase } from '../kit/database.ts'
import { startTestStack } from '../kit/engines.ts'
import { registerPerson } from '../kit/people.ts'
import { eventually } from '../kit/wait.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startTestStack({ replicas: { messaging: 0, billing: 0, realtime: 0, notify: 0 } })
})
afterAll(() => stack.stop())

it('keeps a service alive and not ready until the runner has applied its migrations', async () => {
  const auth = stack.service('auth')
  const { client, username, password } = await registerPerson(stack)
  await auth.stop()
  await withDatabase(stack, 'auth', async (database) => {
    await database.collection('_migrations').deleteOne({ _id: '0003-pruning' as never })
    await database.collection('sessions').dropIndex('expiresAt')
  })
  const starting = auth.start()
  const readyz = await eventually(() => fetch(`${auth.internalUrl}/readyz`))
  expect(readyz.status).toBe(503)
  expect(await readyz.json()).toEqual({ ok: false, failing: { migrations: 'pending: 0003-pruning' } })
  expect((await fetch(`${auth.internalUrl}/livez`)).status).toBe(200)

  await migrateDatabases(databaseUrls(stack.addresses, stack.secrets, stack.namespace))
  await starting
  expect((await fetch(`${auth.internalUrl}/readyz`)).status).toBe(200)
  expect((await client.call(login, { body: { username, password } })).status).toBe(200)
  await withDatabase(stack, 'auth', async (database) =>
    expect(await database.collection('sessions').indexExists('expiresAt')).toBe(true),
  )
})
