import { deleteInBatches } from '@sumlock/service-kit/write-in-batches'
import { Schema } from 'mongoose'
import type { Connection } from 'mongoose'

interface SendLimit {
  /** A keyed hash of a number or of an account, or `all:` and an hour. */
  _id: string
  /** When something was sent within the last hour. */
  sentAt?: Date[]
  /** For `all:`: the codes requested for all numbers, counted up to one more than the budget. */
  count?: number
  expiresAt: Date
}

const schema = new Schema<SendLimit>(
  { _id: String, sentAt: [Date], count: Number, expiresAt: { type: Date, required: true } },
  { collection: 'phone_code_limits', versionKey: false },
)

const hourMs = 3_600_000

/** Counts phone codes and mails per receiver, and phone codes in total, in one write before they are created. */
export function createSendLimitStore(connection: Connection) {
  const model = connection.model('SendLimit', schema)
  const upsert = { lean: true, upsert: true, updatePipeline: true } as const
  return {
    /** 0 when one more may be sent; otherwise the wait in ms, because the receiver had `perHour` within the last hour. */
    take: async (receiver: string, perHour: number, now: Date): Promise<number> => {
      const hourAgo = new Date(now.getTime() - hourMs)
      const recent = { $filter: { input: { $ifNull: ['$sentAt', []] }, cond: { $gt: ['$$this', hourAgo] } } }
      const isFree = { $lt: [{ $size: '$sentAt' }, perHour] }
      const before = (await model
        .findOneAndUpdate(
          { _id: receiver },
          [
            { $set: { sentAt: recent, expiresAt: new Date(now.getTime() + hourMs) } },
            { $set: { sentAt: { $cond: [isFree, { $concatArrays: ['$sentAt', [now]] }, '$sentAt'] } } },
          ],
          { ...upsert, returnDocument: 'before' },
        )
        .exec()) as SendLimit | null
      const sent = before?.sentAt?.filter((at) => at > hourAgo).map((at) => at.getTime()) ?? []
      return sent.length < perHour ? 0 : Math.min(...sent) - hourAgo.getTime()
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
        .exec()) as SendLimit | null
      return (after?.count ?? 0) <= budget ? 0 : (hour + 1) * hourMs - now.getTime()
    },

    prune: (now: Date) => deleteInBatches(model.collection as never, { expiresAt: { $lt: now } }),
  }
}
