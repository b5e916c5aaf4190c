import type { mongo } from 'mongoose'

const batchSize = 500

/** Deletes matching rows in batches, so that no command occupies the database for long. Resolves with their number. */
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
    // Repeats the filter, so that a row that changed meanwhile stays.
    const batch = { $and: [{ _id: { $in: ids } }, filter] } as mongo.Filter<T>
    if (ids.length > 0) deleted += (await collection.deleteMany(batch)).deletedCount
    if (ids.length < batchSize) return deleted
  }
}
