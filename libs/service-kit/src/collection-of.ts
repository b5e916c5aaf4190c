import type { Connection, mongo } from 'mongoose'

/** The driver's collection, without a schema. The connection must be open. */
export const collectionOf = <T extends mongo.BSON.Document>(
  { db }: Connection,
  name: string,
  options?: mongo.CollectionOptions,
): mongo.Collection<T> => {
  if (!db) throw new Error('The connection to the database is not open.')
  return db.collection<T>(name, options)
}
