import { limits } from '@sumlock/contracts/limits'
import { Schema } from 'mongoose'
import type { Connection } from 'mongoose'
import { deleteInBatches } from './delete-in-batches.ts'

interface PhoneCodeLimit {
  /** A keyed hash of a number, or `all:` and an hour. */
  _id: string
  /** For a number: when codes were sent to it within the last hour. */
  sentAt?: Date[]
  /** For an hour: the codes requested for all numbers, counted up to one more than the budget. */
  count?: number
  expiresAt: Date
}

const schema = new Schema<PhoneCodeLimit>(
  { _id: String, sentAt: [Date], count: Number, expiresAt: { type: Date, required: true } },
  { collection: 'phone_code_limits', versionKey: false },
)

const hourMs = 3_600_000

/** Counts phone codes per number and in total. A code is counted, in one write, before it is created. */
export function createPhoneCodeLimitStore(connection: Connection) {
  const model = connection.model('PhoneCodeLimit', schema)
  const upsert = { lean: true, upsert: true, updatePipeline: true } as const
  return {
    /** 0 when a code may be sent; otherwise the wait in ms, because the number has used up its codes of the last hour. */
    takeForNumber: async (number: string, now: Date): Promise<number> => {
      const hourAgo = new Date(now.getTime() - hourMs)
      const recent = { $filter: { input: { $ifNull: ['$sentAt', []] }, cond: { $gt: ['$$this', hourAgo] } } }
      const isFree = { $lt: [{ $size: '$sentAt' }, limits.phoneCodesPerHour] }
      const before = (await model
        .findOneAndUpdate(
          { _id: number },
          [
            { $set: { sentAt: recent, expiresAt: new Date(now.getTime() + hourMs) } },
            { $set: { sentAt: { $cond: [isFree, { $concatArrays: ['$sentAt', [now]] }, '$sentAt'] } } },
          ],
          { ...upsert, returnDocument: 'before' },
        )
        .exec()) as PhoneCodeLimit | null
      const sent = before?.sentAt?.filter((at) => at > hourAgo).map((at) => at.getTime()) ?? []
      return sent.length < limits.phoneCodesPerHour ? 0 : Math.min(...sent) - hourAgo.getTime()
    },

    /** 0 when a code may be sent; otherwise the ms until the next hour (UTC), because the budget of this one is spent. */
    takeFromBudget: async (budget: number, now: Date): Promise<number> => {
      const hour = Math.floor(now.getTime() / hourMs)
      const counted = { $min: [{ $add: [{ $ifNull: ['$count', 0] }, 1] }, budget + 1] }
      const after = (await model
        .findOneAndUpdate(
          { _id: `all:${hour}` },
          [{ $set: { count: counted, expiresAt: new Date((hour + 1) * hourMs) } }],
          { ...upsert, returnDocument: 'after' },
        )
        .exec()) as PhoneCodeLimit | null
      return (after?.count ?? 0) <= budget ? 0 : (hour + 1) * hourMs - now.getTime()
    },

    prune: (now: Date) => deleteInBatches(model.collection as never, { expiresAt: { $lt: now } }),
  }
}
