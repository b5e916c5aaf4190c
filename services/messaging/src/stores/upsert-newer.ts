import type { mongo } from 'mongoose'

type Collection = Pick<mongo.Collection, 'updateOne'>

/** Writes a projection row unless a newer version exists, so repeated or reordered events give the same result. */
export async function upsertNewer(
  collection: Collection,
  id: string,
  version: number,
  fields: Record<string, unknown>,
): Promise<void> {
  const filter = { _id: id as never, version: { $lt: version } }
  const update = { $set: { ...fields, version } }
  try {
    await collection.updateOne(filter, update, { upsert: true })
  } catch (error) {
    if ((error as { code?: number }).code !== 11000) throw error
    // Another writer inserted the row first; it may be an older version.
    await collection.updateOne(filter, update)
  }
}
