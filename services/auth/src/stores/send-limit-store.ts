import { deleteInBatches } from '@sumlock/service-kit/write-in-batches'
import { Schema, trusted } from 'mongoose'
import type { Connection } from 'mongoose'

interface SendLimit {
  /** The key is a keyed hash of a number, an account, a network, or an address on a day; or it is `all:` and an hour. */
  _id: string
  /** The sends of the last hour happened at these times. */
  sentAt?: Date[]
  /** The first codes of a network were last counted in this hour (UTC, in hours since 1970). */
  hour?: number
  /** Counts the first codes of the network's addresses in `hour`. */
  firsts?: number
  /** Of all mail requests to an address on a day, only this one leads to a mail to the owner of the address. */
  toldBy?: string
  /** Counts the codes to all numbers; only in the row `all:`. */
  count?: number
  /** Counts the codes that were not among the first of their network in this hour; only in the row `all:`. */
  further?: number
  expiresAt: Date
}

const schema = new Schema<SendLimit>(
  {
    _id: String,
    sentAt: [Date],
    hour: Number,
    firsts: Number,
    toldBy: String,
    count: Number,
    further: Number,
    expiresAt: { type: Date, required: true },
  },
  { collection: 'phone_code_limits', versionKey: false },
)

const modelOf = (connection: Connection) => connection.model('SendLimit', schema)
type SendLimitModel = ReturnType<typeof modelOf>

const hourMs = 3_600_000
const upsert = { lean: true, upsert: true, updatePipeline: true } as const
const hourOf = (now: Date) => Math.floor(now.getTime() / hourMs)

export interface BudgetRefusal {
  /** Either the whole budget is spent, or the half of it that further codes of a network may use (`share`). */
  spent: 'budget' | 'share'
  /** The next hour (UTC) begins after this wait. */
  waitMs: number
}

/**
 * Counts phone codes and mails per receiver, and phone codes in total, before they are created. Each count is one atomic
 * write.
 */
export function createSendLimitStore(connection: Connection) {
  const model = modelOf(connection)
  return {
    /**
     * Counts one more send and resolves with 0, or resolves with the wait in ms if the receiver had `perHour` sends in the
     * last hour.
     */
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

    /** Resolves with true only for the first request that claims an address and day, even when that request is repeated. */
    claimDay: async (addressAndDay: string, requestId: string, now: Date): Promise<boolean> => {
      const expiresAt = new Date(now.getTime() + 24 * hourMs)
      const row = (await model
        .findOneAndUpdate(
          { _id: addressAndDay },
          { $setOnInsert: { toldBy: requestId, expiresAt } },
          { lean: true, upsert: true, returnDocument: 'after' },
        )
        .exec()) as SendLimit | null
      return row?.toldBy === requestId
    },

    /** Undoes the count of `take` at this time. Its entry is moved to 1970, which is more than an hour ago. */
    giveBack: async (receiver: string, at: Date) => {
      await model.updateOne({ _id: receiver, sentAt: at }, { $set: { 'sentAt.$': new Date(0) } })
    },

    /**
     * Resolves with true for the first `most` calls of a network in an hour (UTC). `take` must have counted the network
     * before.
     */
    claimFirst: async (network: string, most: number, now: Date): Promise<boolean> => {
      const hour = hourOf(now)
      const isSame = { $eq: ['$hour', hour] }
      const firsts = { $add: [{ $cond: [isSame, { $ifNull: ['$firsts', 0] }, 0] }, 1] }
      const isFree = { $or: [{ hour: trusted({ $ne: hour }) }, { firsts: trusted({ $lt: most }) }] }
      const set = [{ $set: { hour, firsts } }]
      const claimed = await model.updateOne({ _id: network, ...isFree }, set, { updatePipeline: true })
      return claimed.modifiedCount === 1
    },

    takeFromBudget: takeFromBudget(model),

    prune: (now: Date, stopping?: AbortSignal) =>
      deleteInBatches(model.collection as never, { expiresAt: { $lt: now } }, stopping),
  }
}

/**
 * Counts a code of this hour (UTC), or resolves with the reason why it may not be sent. Half of the budget is kept for the
 * first codes of networks.
 */
const takeFromBudget =
  (model: SendLimitModel) =>
  async (budget: number, isFirst: boolean, now: Date): Promise<BudgetRefusal | undefined> => {
    const hour = hourOf(now)
    const share = Math.floor(budget / 2)
    const [count, further] = [{ $ifNull: ['$count', 0] }, { $ifNull: ['$further', 0] }]
    const isFree = isFirst
      ? { $lt: [count, budget] }
      : { $and: [{ $lt: [count, budget] }, { $lt: [further, share] }] }
    const one = { $cond: [isFree, 1, 0] }
    const counted = {
      count: { $add: [count, one] },
      further: { $add: [further, isFirst ? 0 : one] },
    }
    const before = (await model
      .findOneAndUpdate(
        { _id: `all:${hour}` },
        [{ $set: { ...counted, expiresAt: new Date((hour + 1) * hourMs) } }],
        { ...upsert, returnDocument: 'before' },
      )
      .exec()) as SendLimit | null
    const waitMs = (hour + 1) * hourMs - now.getTime()
    if ((before?.count ?? 0) >= budget) return { spent: 'budget', waitMs }
    return isFirst || (before?.further ?? 0) < share ? undefined : { spent: 'share', waitMs }
  }
