import { createLogger } from '@sumlock/service-kit/logger'
import { connectMongo, pingMongo } from '@sumlock/service-kit/mongo'
import { databaseUrl, provision, unprovision } from '@sumlock/deployment/provision'
import { randomNamespace, testEngines } from '@sumlock/testing/test-engines'
import { eventually } from '@sumlock/testing/wait'

interface Pool {
  poolState: string
  minPoolSizeTimer?: { _destroyed: boolean }
  clear(): void
  ready(): void
}

it('the pool of a connection sets no timer, also after it was cleared, and still connects', async () => {
  const { addresses, secrets } = await testEngines()
  const namespace = randomNamespace()
  await provision(addresses, secrets, namespace)
  const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
  const connection = await connectMongo(databaseUrl(addresses, secrets, namespace, 'notify'), logger)
  try {
    const { topology } = connection.getClient() as unknown as {
      topology: { s: { servers: Map<string, { pool: Pool }> } }
    }
    const [{ pool }] = [...topology.s.servers.values()] as [{ pool: Pool }]
    // The driver's own timer is armed again as soon as it fires.
    const isQuiet = () => expect(pool.minPoolSizeTimer?._destroyed ?? true).toBe(true)
    await eventually(isQuiet)
    pool.clear()
    pool.ready()
    isQuiet()
    expect(pool.poolState).toBe('ready')
    await pingMongo(connection)
  } finally {
    await connection.close()
    await unprovision(addresses, namespace)
  }
})
