import type { mongo } from 'mongoose'

/** `isListed` of a row. */
const isListed = {
  $or: [
    { $not: [{ $or: [{ $ifNull: ['$isDeleted', false] }, { $ifNull: ['$isRequest', false] }] }] },
    { $gt: ['$newestSeq', '$clearedSeq'] },
  ],
}

/** An update that also dates the row, so that the member's next list of changes contains it. */
export const changing = (
  $set: Readonly<Record<string, unknown>>,
  ...$unset: readonly string[]
): mongo.BSON.Document[] => [
  { $set: { ...$set, changedAt: '$$NOW' } },
  ...($unset.length > 0 ? [{ $unset }] : []),
  { $set: { isListed } },
]

/** Part of an update of fields that sends remember. */
export const changedState = { stateChangedAt: '$$NOW' } as const
