import type { mongo } from 'mongoose'

/** A conversation is listed unless it is deleted or a request, and in any case when it has a message after `clearedSeq`. */
const isListed = {
  $or: [
    { $not: [{ $or: [{ $ifNull: ['$isDeleted', false] }, { $ifNull: ['$isRequest', false] }] }] },
    { $gt: ['$newestSeq', '$clearedSeq'] },
  ],
}

/** Returns an update that also sets `changedAt`, so that the member's next list of changes contains the row. */
export const changing = (
  $set: Readonly<Record<string, unknown>>,
  ...$unset: readonly string[]
): mongo.BSON.Document[] => [
  { $set: { ...$set, changedAt: '$$NOW' } },
  ...($unset.length > 0 ? [{ $unset }] : []),
  { $set: { isListed } },
]

/** An update of fields that sends remember sets this date, so that caches read the row again. */
export const changedState = { stateChangedAt: '$$NOW' } as const
