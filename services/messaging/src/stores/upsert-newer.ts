import type { mongo } from 'mongoose'

type Collection = Pick<mongo.Collection, 'findOne' | 'updateOne'>

/** Writes a projection row unless it has this version or a newer one, so repeated or reordered events give the same result. True: it was written. */
export async function upsertNewer(
  collection: Collection,
  id: string,
  version: number,
  fields: Record<string, unknown>,
  more: mongo.UpdateFilter<mongo.Document> = {},
): Promise<boolean> {
  const _id = id as never
  // Most events repeat what is stored. An upsert would try to insert the row, and fail.
  const stored = await collection.findOne({ _id }, { projection: { version: 1 } })
  if (Number(stored?.['version'] ?? -Infinity) >= version) return false
  const filter = { _id, version: { $lt: version } }
  const update = { $set: { ...fields, version }, ...more }
  try {
    await collection.updateOne(filter, update, { upsert: true })
    return true
  } catch (error) {
    if ((error as { code?: number }).code !== 11000) throw error
    // Another writer was faster; its row may be an older version.
    return (await collection.updateOne(filter, update)).modifiedCount === 1
  }
}
