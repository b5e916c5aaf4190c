import { databaseUrl } from '@sumlock/deployment/provision'
import type { DatabaseOwner } from '@sumlock/deployment/provision'
import mongoose from 'mongoose'
import type { Connection } from 'mongoose'
import type { RunningStack } from './shared-stack.ts'

/** Looks into a service's database past the service, to compare what it says with what it stored. */
export async function withDatabase<T>(
  { addresses, secrets, namespace }: Pick<RunningStack, 'addresses' | 'secrets' | 'namespace'>,
  owner: DatabaseOwner,
  look: (database: Connection) => Promise<T>,
): Promise<T> {
  const connection = await mongoose
    .createConnection(databaseUrl(addresses, secrets, namespace, owner))
    .asPromise()
  try {
    return await look(connection)
  } finally {
    await connection.close()
  }
}
