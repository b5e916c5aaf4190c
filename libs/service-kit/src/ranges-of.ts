import type { mongo } from 'mongoose'

/** The filter matches the values between two inclusive bounds. */
export interface Range {
  $gte: unknown
  $lte: unknown
}

/** One command of a migration writes at most this many rows. */
export const migratedAtOnce = 2000

/**
 * Yields ranges of 2,000 rows of a collection, in the order of a key with a unique index. A migration that writes
 * range by range can be killed and repeated.
 */
export async function* rangesOf(
  collection: Pick<mongo.Collection, 'find'>,
  key = '_id',
): AsyncGenerator<Range> {
  const projection = { _id: 0, [key]: 1 }
  for (let last: unknown; ;) {
    const filter = { [key]: last === undefined ? { $exists: true } : { $exists: true, $gt: last } }
    const rows = await collection
      .find(filter, { projection })
      .sort({ [key]: 1 })
      .limit(migratedAtOnce)
      .toArray()
    if (rows.length > 0) yield { $gte: rows[0]?.[key], $lte: (last = rows.at(-1)?.[key]) }
    if (rows.length < migratedAtOnce) return
  }
}
