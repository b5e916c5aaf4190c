import type { Entitlement } from '@sumlock/contracts/internal-routes'
import { Schema, trusted } from 'mongoose'
import type { Connection } from 'mongoose'
import { premiumUntilOf } from '../domain/entitlement.ts'
import type { Standing } from '../domain/entitlement.ts'
import { upsertNewer } from './upsert-newer.ts'

interface EntitlementRow {
  _id: string
  premiumUntil: Date | null
  isGone?: boolean
  /** The version of the person with which `isGone` was written. */
  personVersion?: number
  /** The last end of premium that was published. */
  announcedEnd?: Date
  version: number
}

const schema = new Schema<EntitlementRow>(
  {
    _id: String,
    premiumUntil: { type: Date, default: null },
    announcedEnd: Date,
    isGone: Boolean,
    personVersion: Number,
    version: { type: Number, required: true },
  },
  { collection: 'entitlements', versionKey: false },
)

export type EntitlementStore = ReturnType<typeof createEntitlementStore>

/** The end of a person's premium, as billing last published it, and whether the person is leaving, by auth. */
export function createEntitlementStore(connection: Connection) {
  const model = connection.model('Entitlement', schema)
  return {
    /** By person; a person without an entry has none. */
    premiumUntil: async (userIds: readonly string[]): Promise<Map<string, Standing>> => {
      const rows = await model
        .find({ _id: trusted({ $in: [...userIds] }) })
        .lean<EntitlementRow[]>()
        .exec()
      return new Map(rows.map((row) => [row._id, row.isGone ? 'gone' : row.premiumUntil]))
    },
    /** Ends of premium within this period that were not published yet. */
    unpublishedEnds: async (after: Date, until: Date): Promise<{ userId: string; end: Date }[]> => {
      const rows = await model
        .find({
          premiumUntil: trusted({ $gt: after, $lte: until }),
          $expr: trusted({ $ne: ['$premiumUntil', '$announcedEnd'] }),
        })
        .lean<EntitlementRow[]>()
        .exec()
      return rows.map(({ _id, premiumUntil }) => ({ userId: _id, end: premiumUntil ?? until }))
    },
    markEndPublished: async (userId: string, end: Date): Promise<void> => {
      await model.updateOne({ _id: userId }, { $set: { announcedEnd: end } }).exec()
    },
    /** In this collection, because a send reads it anyway. False when a newer version of the person was stored before. */
    setGone: async (userId: string, version: number, isGone: boolean): Promise<boolean> => {
      const isNewer = { $or: [{ personVersion: { $exists: false } }, { personVersion: { $lte: version } }] }
      const update = {
        $set: { isGone, personVersion: version },
        $setOnInsert: { premiumUntil: null, version: 0 },
      }
      try {
        const options = { upsert: true } as const
        await model.collection.updateOne({ _id: userId as never, ...isNewer }, update, options)
        return true
      } catch (error) {
        if ((error as { code?: number }).code !== 11000) throw error
        // The row is newer, or another writer has just inserted it.
        const { matchedCount } = await model.collection.updateOne(
          { _id: userId as never, ...isNewer },
          update,
        )
        return matchedCount === 1
      }
    },
    save: (entitlement: Entitlement) =>
      upsertNewer(model.collection, entitlement.userId, entitlement.version, {
        premiumUntil: premiumUntilOf(entitlement),
      }),
  }
}
