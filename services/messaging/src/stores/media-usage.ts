import { Schema } from 'mongoose'
import type { ClientSession, Connection, mongo } from 'mongoose'
import { storageFull } from '../domain/errors.ts'

const schema = new Schema(
  { _id: String, bytes: Number, changes: Number },
  { collection: 'mediaUsage', versionKey: false },
)

export type MediaUsage = ReturnType<typeof createMediaUsage>

/** Counts the bytes of media that each person uses. */
export function createMediaUsage(connection: Connection) {
  const usage = connection.model('MediaUsage', schema).collection as unknown as mongo.Collection<{
    _id: string
    bytes: number
  }>
  return {
    of: async (ownerId: string): Promise<number> => (await usage.findOne({ _id: ownerId }))?.bytes ?? 0,

    /** Creates the person's row, which `count` needs. */
    async open(ownerId: string): Promise<void> {
      await usage.updateOne({ _id: ownerId }, { $setOnInsert: { bytes: 0 } }, { upsert: true })
    },

    /**
     * Adds bytes to a person's usage, and throws `storage_full` above the limit. Concurrent transactions on one person's
     * usage conflict, so that no change is lost.
     */
    async count(session: ClientSession, ownerId: string, bytes: number, limit = Infinity): Promise<void> {
      const fits = limit === Infinity ? {} : { bytes: { $lte: limit - bytes } }
      const { matchedCount } = await usage.updateOne(
        { _id: ownerId, ...fits },
        // Without the change of `changes`, an `$inc` by 0 would write nothing and conflict with no other transaction.
        { $inc: { bytes, changes: 1 } },
        { session },
      )
      if (matchedCount === 0 && bytes > 0) throw storageFull()
    },

    async remove(ownerId: string): Promise<void> {
      await usage.deleteOne({ _id: ownerId })
    },
  }
}
