import { deleteInBatches } from '@sumlock/service-kit/write-in-batches'
import { Schema } from 'mongoose'
import type { Connection } from 'mongoose'

interface SeenNotification {
  _id: string
  seenAt: Date
}

const schema = new Schema<SeenNotification>(
  { _id: String, seenAt: { type: Date, required: true } },
  { collection: 'store_notifications', versionKey: false },
)
const keepDays = 30

/** Remembers the store notifications whose effect is already stored. */
export function createNotificationStore(connection: Connection) {
  const model = connection.model('SeenNotification', schema)
  return {
    has: async (id: string) => (await model.exists({ _id: id }).exec()) !== null,
    add: async (id: string, seenAt: Date) => {
      await model.updateOne({ _id: id }, { $setOnInsert: { seenAt } }, { upsert: true })
    },
    prune: async (now: Date, stopping?: AbortSignal) => {
      const before = new Date(now.getTime() - keepDays * 86_400_000)
      await deleteInBatches(model.collection, { seenAt: { $lt: before } }, stopping)
    },
  }
}
