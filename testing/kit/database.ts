import { databaseUrl } from '@sumlock/deployment/provision'
import type { DatabaseOwner } from '@sumlock/deployment/provision'
import mongoose from 'mongoose'
import type { Connection } from 'mongoose'
import type { RunningStack } from './shared-stack.ts'

/** Opens a service's database directly, so that a test can compare what is stored, or change it. */
export async function withDatabase<T>(
  { addresses, secrets, namespace }: Pick<RunningStack, 'addresses' | 'secrets' | 'namespace'>,
  owner: DatabaseOwner,
  read: (database: Connection) => Promise<T>,
): Promise<T> {
  const connection = await mongoose
    .createConnection(databaseUrl(addresses, secrets, namespace, owner))
    .asPromise()
  try {
    return await read(connection)
  } finally {
    await connection.close()
  }
}
