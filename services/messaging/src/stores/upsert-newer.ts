import type { ClientSession, mongo } from 'mongoose'

type Collection = Pick<mongo.Collection, 'findOne' | 'updateOne'>

export interface NewerRow {
  id: string
  /** This field of the row contains the version. */
  field: 'version' | 'personVersion'
  version: number
  update: mongo.UpdateFilter<mongo.Document>
  /** The write belongs to this transaction, which throws and starts again when another writer is faster. */
  session?: ClientSession | undefined
}

/**
 * Writes a row of a copy unless the row has this version or a newer one, so that repeated or reordered changes give the
 * same result. Resolves with true if the row was written.
 */
export async function upsertNewer(
  collection: Collection,
  { id, field, version, update, session }: NewerRow,
): Promise<boolean> {
  const _id = id as never
  const ofSession = session ? { session } : {}
  // Most changes repeat the stored row, for which an upsert would try an insert and fail.
  const stored = await collection.findOne({ _id }, { projection: { [field]: 1 }, ...ofSession })
  if (Number(stored?.[field] ?? -Infinity) >= version) return false
  // The filter also matches a row without a version.
  const filter = { _id, [field]: { $not: { $gte: version } } }
  const write = { ...update, $set: { ...update.$set, [field]: version } }
  try {
    await collection.updateOne(filter, write, { upsert: true, ...ofSession })
    return true
  } catch (error) {
    if (session || (error as { code?: number }).code !== 11000) throw error
    // Another writer inserted the row first. Its version may be older, so the row is compared again.
    return (await collection.updateOne(filter, write)).modifiedCount === 1
  }
}
