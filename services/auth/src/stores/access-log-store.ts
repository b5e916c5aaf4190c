import { deleteInBatches } from '@sumlock/service-kit/write-in-batches'
import type { Connection } from 'mongoose'
import { Schema } from 'mongoose'

interface AccessRow {
  /** `<adminId>|<userId>|<minute>`: one row a minute. */
  _id: string
  userId: string
  adminId: string
  at: Date
}

const schema = new Schema<AccessRow>(
  {
    _id: String,
    userId: { type: String, required: true },
    adminId: { type: String, required: true },
    at: { type: Date, required: true },
  },
  { collection: 'access_log', versionKey: false },
)
const minuteMs = 60_000

/** Which admin was shown which account. A row leaves after a year (index of migration 0009). */
export function createAccessLogStore(connection: Connection) {
  const model = connection.model('Access', schema)
  return {
    add: async (adminId: string, userIds: readonly string[], now: Date): Promise<void> => {
      if (userIds.length === 0) return
      const minute = Math.floor(now.getTime() / minuteMs)
      const at = new Date(minute * minuteMs)
      await model.collection.bulkWrite(
        userIds.map((userId) => ({
          updateOne: {
            filter: { _id: `${adminId}|${userId}|${minute}` as never },
            update: { $setOnInsert: { userId, adminId, at } },
            upsert: true,
          },
        })),
        { ordered: false },
      )
    },
    latestOf: (userId: string, count: number) =>
      model.find({ userId }).sort({ at: -1, _id: 1 }).limit(count).lean<AccessRow[]>().exec(),
    /** Removes the rows about a person, and those of a person who was an admin. */
    removeOf: async (userId: string, stopping?: AbortSignal) => {
      for (const filter of [{ userId }, { adminId: userId }])
        await deleteInBatches(model.collection, filter, stopping)
    },
  }
}
