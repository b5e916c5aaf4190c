import { createLogger } from '@sumlock/service-kit/logger'
import { runMigrations } from '@sumlock/service-kit/migrations'
import { connectMongo } from '@sumlock/service-kit/mongo'
import { databaseUrl, provision, unprovision } from '@sumlock/deployment/provision'
import { randomNamespace, testEngines } from '@sumlock/testing/test-engines'
import type { Connection } from 'mongoose'
import { migrations } from '../src/migrations.ts'

export const silentLogger = createLogger({ service: 'test', instance: 'test', level: 'silent' })

/** A migrated database of notify in a namespace of its own; `close` removes it. */
export async function openNotifyDatabase(clock: {
  now(): Date
  nowMs(): number
}): Promise<{ connection: Connection; close(): Promise<void> }> {
  const { addresses, secrets } = await testEngines()
  const namespace = randomNamespace()
  await provision(addresses, secrets, namespace)
  const connection = await connectMongo(databaseUrl(addresses, secrets, namespace, 'notify'), silentLogger)
  await runMigrations(connection, migrations, { clock, logger: silentLogger })
  return {
    connection,
    async close() {
      await connection.close()
      await unprovision(addresses, namespace)
    },
  }
}
