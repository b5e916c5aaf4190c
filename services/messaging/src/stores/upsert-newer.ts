import type { ClientSession, mongo } from 'mongoose'

type Collection = Pick<mongo.Collection, 'findOne' | 'updateOne'>

export interface NewerRow {
  id: string
  /** The field that holds the version. */
  field: 'version' | 'personVersion'
  version: number
  update: mongo.UpdateFilter<mongo.Document>
  /** The transaction of the write; a faster writer makes it start again. */
  session?: ClientSession | undefined
}

/**
 * Writes a projection row unless it has this version or a newer one, so repeated or reordered changes give the same
 * result. Resolves with true if it was written.
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
  // Matches a row without a version, too.
  const filter = { _id, [field]: { $not: { $gte: version } } }
  const write = { ...update, $set: { ...update.$set, [field]: version } }
  try {
    await collection.updateOne(filter, write, { upsert: true, ...ofSession })
    return true
  } catch (error) {
    if (session || (error as { code?: number }).code !== 11000) throw error
    // Another writer was faster; its row may be an older version.
    return (await collection.updateOne(filter, write)).modifiedCount === 1
  }
}
