import type { mongo } from 'mongoose'

type Collection = Pick<mongo.Collection, 'updateOne'>

/** Writes a projection row unless a newer version of it is there: told twice or out of order, the result is the same. */
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
    // The row is there already, so the upsert tried to insert beside it. It may be an older one that came a moment ago.
    await collection.updateOne(filter, update)
  }
}
