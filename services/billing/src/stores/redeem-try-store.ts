import { deleteInBatches } from '@sumlock/service-kit/write-in-batches'
import { Schema } from 'mongoose'
import type { Connection } from 'mongoose'

interface RedeemTries {
  /** The key consists of `person:` or `address:`, a keyed hash of the user id or the address, and the hour. */
  _id: string
  count: number
  expiresAt: Date
}

const schema = new Schema<RedeemTries>(
  { _id: String, count: { type: Number, required: true }, expiresAt: { type: Date, required: true } },
  { collection: 'redeem_tries', versionKey: false },
)
const hourMs = 3_600_000

/** Counts tries to redeem a code, per hour and per person or address. */
export function createRedeemTryStore(connection: Connection) {
  const model = connection.model('RedeemTries', schema)
  const keyOf = (counter: string, now: Date) => `${counter}:${Math.floor(now.getTime() / hourMs)}`
  return {
    /** Counts a try before its code is checked; resolves with the number of tries in this hour. */
    add: async (counter: string, now: Date): Promise<number> => {
      const row = await model
        .findOneAndUpdate(
          { _id: keyOf(counter, now) },
          { $inc: { count: 1 }, $setOnInsert: { expiresAt: new Date(now.getTime() + 2 * hourMs) } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean<RedeemTries>()
        .exec()
      return row?.count ?? 1
    },
    /** Undoes the count of a try whose code was not refused. */
    giveBack: async (counter: string, now: Date): Promise<void> => {
      await model.updateOne({ _id: keyOf(counter, now) }, { $inc: { count: -1 } })
    },
    prune: async (now: Date, stopping?: AbortSignal): Promise<void> => {
      await deleteInBatches(model.collection, { expiresAt: { $lt: now } }, stopping)
    },
  }
}
