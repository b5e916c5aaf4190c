import type { Connection } from 'mongoose'

/** Drops a collection of the service's database, if it is there. */
export async function dropCollection(connection: Connection, name: string): Promise<void> {
  const collections = await connection.listCollections()
  if (collections.some((one) => one.name === name)) await connection.dropCollection(name)
}
