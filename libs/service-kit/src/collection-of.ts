import type { Connection, mongo } from 'mongoose'

/** Returns the driver's own collection, which checks no schema. Throws when the connection is not open. */
export const collectionOf = <T extends mongo.BSON.Document>(
  { db }: Connection,
  name: string,
  options?: mongo.CollectionOptions,
): mongo.Collection<T> => {
  if (!db) throw new Error('The connection to the database is not open.')
  return db.collection<T>(name, options)
}
