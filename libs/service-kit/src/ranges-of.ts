import type { mongo } from 'mongoose'

/** A filter for the values of a key between two inclusive bounds. */
export interface Range {
  $gte: unknown
  $lte: unknown
}

/** Rows that one command of a migration writes. */
export const migratedAtOnce = 2000

/**
 * Cuts the rows of a collection into ranges of 2,000, in the order of an indexed key that is unique. A migration that
 * writes range by range can be killed and repeated.
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
