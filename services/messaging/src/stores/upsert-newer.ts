import type { mongo } from 'mongoose'

type Collection = Pick<mongo.Collection, 'updateOne'>

/** Writes a projection row unless it has this version or a newer one, so repeated or reordered events give the same result. True: it was written. */
export async function upsertNewer(
  collection: Collection,
  id: string,
  version: number,
  fields: Record<string, unknown>,
  more: mongo.UpdateFilter<mongo.Document> = {},
): Promise<boolean> {
  const filter = { _id: id as never, version: { $lt: version } }
  const update = { $set: { ...fields, version }, ...more }
  try {
    await collection.updateOne(filter, update, { upsert: true })
    return true
  } catch (error) {
    if ((error as { code?: number }).code !== 11000) throw error
    // Another writer inserted the row first; it may be an older version.
    return (await collection.updateOne(filter, update)).modifiedCount === 1
  }
}
