import { createUsers, databaseUrl, removeDatabases } from '@sumlock/deployment/provision'
import type { DatabaseOwner } from '@sumlock/deployment/provision'
import type { Logger } from '@sumlock/service-kit/logger'
import { connectMongo } from '@sumlock/service-kit/mongo'
import type { Connection } from 'mongoose'
import { randomNamespace, testEngines } from './test-engines.ts'

/** Creates an empty database of a service in a new namespace; `close` removes it. */
export async function openOwnDatabase(
  owner: DatabaseOwner,
  logger: Logger,
): Promise<{ connection: Connection; url: string; close(this: void): Promise<void> }> {
  const { addresses, secrets } = await testEngines()
  const namespace = randomNamespace()
  await createUsers(addresses, secrets, namespace)
  const url = databaseUrl(addresses, secrets, namespace, owner)
  const connection = await connectMongo(url, logger)
  return {
    connection,
    url,
    async close() {
      await connection.close()
      await removeDatabases(addresses, namespace)
    },
  }
}
