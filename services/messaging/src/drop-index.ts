import type { mongo } from 'mongoose'

/** Drops an index, unless an earlier run of the migration has dropped it. */
export async function dropIndex(
  collection: Pick<mongo.Collection, 'dropIndex' | 'indexExists'>,
  name: string,
) {
  if (await collection.indexExists(name)) await collection.dropIndex(name)
}
