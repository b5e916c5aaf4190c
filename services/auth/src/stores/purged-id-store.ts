import { purgeOwners } from '@sumlock/contracts/internal-routes'
import type { PurgeOwner } from '@sumlock/contracts/internal-routes'
import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'

interface PurgedId {
  _id: string
  purgedAt: Date
  /** The request to erase was last published to the other services at this time. */
  publishedAt: Date
  /** These services have erased their data. */
  acknowledgedBy?: PurgeOwner[]
  /** By this time, all services had erased their data. */
  doneAt?: Date
}

const schema = new Schema<PurgedId>(
  {
    _id: String,
    purgedAt: { type: Date, required: true },
    publishedAt: { type: Date, required: true },
    acknowledgedBy: { type: [String], default: undefined },
    doneAt: Date,
  },
  { collection: 'purged_ids', versionKey: false },
)

/** Stores the ids of deleted accounts, and nothing else about them. */
export function createPurgedIdStore(connection: Connection) {
  const model = connection.model('PurgedId', schema)
  return {
    /** Stores an id. It may exist already, because a restore can bring back an account that was purged. */
    insert: async (id: string, now: Date, session: ClientSession) => {
      const update = {
        $set: { purgedAt: now, publishedAt: now },
        $unset: { acknowledgedBy: '', doneAt: '' },
      }
      await model.updateOne({ _id: id }, update, { upsert: true, session })
    },
    /**
     * Returns whether the request to erase was published again after the purge; undefined if no deleted account has the id.
     */
    isRepeated: async (id: string): Promise<boolean | undefined> => {
      const row = await model.findById(id, { purgedAt: 1, publishedAt: 1 }, { lean: true }).exec()
      return row ? row.publishedAt > row.purgedAt : undefined
    },
    /**
     * Returns the ids of people who are not erased everywhere and whose request was last published between the two times,
     * the longest due first.
     */
    toPublish: async (
      after: Date,
      before: Date,
      count: number,
    ): Promise<{ userId: string; dueAt: Date }[]> => {
      const due = { publishedAt: trusted({ $gt: after, $lte: before }), doneAt: null }
      const rows = await model
        .find(due, { publishedAt: 1 })
        .sort({ publishedAt: 1 })
        .limit(count)
        .lean<{ _id: string; publishedAt: Date }[]>()
        .exec()
      return rows.map(({ _id, publishedAt }) => ({ userId: _id, dueAt: publishedAt }))
    },
    /** Records that a service has erased its data. The purge is complete when all services have. */
    acknowledge: async (id: string, owner: PurgeOwner, now: Date): Promise<void> => {
      const update = { $addToSet: { acknowledgedBy: owner } }
      const options = { lean: true, returnDocument: 'after' } as const
      const row = await model.findOneAndUpdate({ _id: id, doneAt: null }, update, options).exec()
      if (row && purgeOwners.every((one) => row.acknowledgedBy?.includes(one)))
        await model.updateOne({ _id: id, doneAt: null }, { $set: { doneAt: now } })
    },
    /** Resolves with false when another process has published the request first. */
    markPublished: async (id: string, before: Date, now: Date, session: ClientSession): Promise<boolean> => {
      const due = { _id: id, publishedAt: trusted({ $lte: before }) }
      return (await model.updateOne(due, { $set: { publishedAt: now } }, { session })).modifiedCount === 1
    },
  }
}
