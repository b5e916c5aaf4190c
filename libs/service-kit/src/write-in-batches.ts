import type { mongo } from 'mongoose'
import { rest } from './rest.ts'

/**
 * One command of a long job writes at most this many rows, so that it occupies neither the database nor the
 * connection for long.
 */
export const rowsAtOnce = 500

/**
 * Without this hint MongoDB may scan the filter's index, which holds all rows of a busy person, instead of reading
 * the 500 ids of the batch.
 */
const byId = { hint: { _id: 1 } }

/**
 * Deletes matching rows, 500 per command, and rests after each command for as long as it took. Ends early, between
 * two commands, when `stopping` is aborted. Resolves with the number of deleted rows.
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

/** Updates matching rows as `deleteInBatches` deletes them. The update must make a row match the filter no longer. */
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

/** Deletes up to 500 matching rows. Resolves with true when more may be left. */
export const deleteNext = async <T extends mongo.BSON.Document>(
  collection: mongo.Collection<T>,
  filter: mongo.Filter<T>,
): Promise<boolean> =>
  (await writeNext(collection, filter, (batch) => collection.deleteMany(batch, byId))).hasMore

/**
 * Updates up to 500 matching rows. Resolves with true when more may be left. The update must make a row match the
 * filter no longer.
 */
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
  // The filter is repeated, so that a row that no longer matches is left alone.
  const result = await write({ $and: [{ _id: { $in: ids } }, filter] } as mongo.Filter<T>)
  return { result, hasMore: ids.length === rowsAtOnce }
}

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
