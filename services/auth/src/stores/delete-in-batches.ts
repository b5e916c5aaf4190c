import type { mongo } from 'mongoose'

const batchSize = 500

/** Deletes what matches, some rows at a time, so that no command keeps the database busy for long; how many there were. */
export async function deleteInBatches<T extends { _id: string }>(
  collection: mongo.Collection<T>,
  filter: mongo.Filter<T>,
): Promise<number> {
  for (let deleted = 0; ;) {
    const found = await collection
      .find(filter)
      .project<{ _id: string }>({ _id: 1 })
      .limit(batchSize)
      .toArray()
    const ids = found.map(({ _id }) => _id)
    // With the filter once more: a row that changed meanwhile stays.
    const batch = { $and: [{ _id: { $in: ids } }, filter] } as mongo.Filter<T>
    if (ids.length > 0) deleted += (await collection.deleteMany(batch)).deletedCount
    if (ids.length < batchSize) return deleted
  }
}
