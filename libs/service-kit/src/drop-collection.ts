import type { Connection } from 'mongoose'

/** Drops a collection if it exists. */
export async function dropCollection(connection: Connection, name: string): Promise<void> {
  const collections = await connection.listCollections()
  if (collections.some((one) => one.name === name)) await connection.dropCollection(name)
}
