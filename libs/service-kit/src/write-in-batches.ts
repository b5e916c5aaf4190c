import type { mongo } from 'mongoose'
import { rest } from './rest.ts'

/** Rows that one command of lasting work writes, so that it holds neither the database nor its connection for long. */
export const rowsAtOnce = 500

/** Without it MongoDB may look through the index of the filter, which holds all rows of a busy person. */
const byId = { hint: { _id: 1 } }

/**
 * Deletes matching rows, 500 with a command, and rests after each command for as long as it took. Ends early,
 * between two commands, when `stopping` is aborted. Resolves with the number of rows.
 */
export const deleteInBatches = <T extends mongo.BSON.Document>(
  collection: mongo.Collection<T>,
  filter: mongo.Filter<T>,
  stopping?: AbortSignal,
): Promise<number> =>
  inBatches(
    collection,
    filter,
    stopping,
    async (batch) => (await collection.deleteMany(batch, byId)).deletedCount,
  )

/** Updates matching rows in the same way. The update must make a row match the filter no longer. */
export const updateInBatches = <T extends mongo.BSON.Document>(
  collection: mongo.Collection<T>,
  filter: mongo.Filter<T>,
  update: mongo.UpdateFilter<T> | mongo.BSON.Document[],
  stopping?: AbortSignal,
): Promise<number> =>
  inBatches(
    collection,
    filter,
    stopping,
    async (batch) => (await collection.updateMany(batch, update, byId)).modifiedCount,
  )

/** Deletes the next 500 matching rows; resolves with false when no more are left. */
export const deleteNext = async <T extends mongo.BSON.Document>(
  collection: mongo.Collection<T>,
  filter: mongo.Filter<T>,
): Promise<boolean> =>
  (await writeNext(collection, filter, (batch) => collection.deleteMany(batch, byId))).hasMore

/** Updates the next 500 matching rows in the same way. The update must make a row match the filter no longer. */
export const updateNext = async <T extends mongo.BSON.Document>(
  collection: mongo.Collection<T>,
  filter: mongo.Filter<T>,
  update: mongo.UpdateFilter<T> | mongo.BSON.Document[],
): Promise<boolean> =>
  (await writeNext(collection, filter, (batch) => collection.updateMany(batch, update, byId))).hasMore

async function inBatches<T extends mongo.BSON.Document>(
  collection: mongo.Collection<T>,
  filter: mongo.Filter<T>,
  stopping: AbortSignal | undefined,
  write: (batch: mongo.Filter<T>) => Promise<number>,
): Promise<number> {
  for (let written = 0; ;) {
    const startedAt = performance.now()
    const { result = 0, hasMore } = await writeNext(collection, filter, write)
    written += result
    if (!hasMore || stopping?.aborted) return written
    await rest(performance.now() - startedAt, stopping)
  }
}

async function writeNext<T extends mongo.BSON.Document, R>(
  collection: mongo.Collection<T>,
  filter: mongo.Filter<T>,
  write: (batch: mongo.Filter<T>) => Promise<R>,
): Promise<{ result?: R; hasMore: boolean }> {
  const ids = await idsOf(collection, filter, rowsAtOnce)
  if (ids.length === 0) return { hasMore: false }
  // Repeats the filter, so that a row that has changed since stays.
  const result = await write({ $and: [{ _id: { $in: ids } }, filter] } as mongo.Filter<T>)
  return { result, hasMore: ids.length === rowsAtOnce }
}

/** The ids of at most `count` matching rows. */
const idsOf = async <T extends mongo.BSON.Document>(
  collection: mongo.Collection<T>,
  filter: mongo.Filter<T>,
  count: number,
): Promise<mongo.InferIdType<T>[]> =>
  (
    await collection
      .find(filter, { projection: { _id: 1 } })
      .limit(count)
      .toArray()
  ).map(({ _id }) => _id)
