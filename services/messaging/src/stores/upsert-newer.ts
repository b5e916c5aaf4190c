import type { mongo } from 'mongoose'

type Collection = Pick<mongo.Collection, 'updateOne'>

/** Writes a projection row unless a newer version of it is there: told twice or out of order, the result is the same. */
export async function upsertNewer(
  collection: Collection,
  id: string,
  version: number,
  fields: Record<string, unknown>,
): Promise<void> {
  try {
    await collection.updateOne(
      { _id: id as never, version: { $lt: version } },
      { $set: { ...fields, version } },
      { upsert: true },
    )
  } catch (error) {
    // The row exists with this version or a later one, so the upsert tried to insert beside it.
    if ((error as { code?: number }).code !== 11000) throw error
  }
}
