import { deleteInBatches } from '@sumlock/service-kit/write-in-batches'
import { Schema, trusted } from 'mongoose'
import type { Connection } from 'mongoose'

interface SendLimit {
  /** A keyed hash of a number, an account, a network or an address on a day, or `all:` and an hour. */
  _id: string
  /** The times of sends within the last hour. */
  sentAt?: Date[]
  /** The last hour (UTC, since 1970) in which a network had a code. */
  hour?: number
  /** The first codes of a network's addresses in that hour. */
  firsts?: number
  /** The mail request of an address on a day about which its owner gets a mail. */
  toldBy?: string
  /** The codes of all numbers; only in the row `all:`. */
  count?: number
  /** The codes that were not the first of their network in this hour; only in the row `all:`. */
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
  /** The reason of a refusal: the whole budget is spent, or the half of it that further codes of a network may use. */
  spent: 'budget' | 'share'
  /** The wait until the next hour (UTC). */
  waitMs: number
}

/** Counts phone codes and mails per receiver, and phone codes in total, in one write before they are created. */
export function createSendLimitStore(connection: Connection) {
  const model = modelOf(connection)
  return {
    /** Counts one more send and returns 0, or returns the wait in ms if the receiver had `perHour` sends in the last hour. */
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

    /** Returns true for the first request of a call, and true again if the same request is repeated. */
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

    /** Undoes the count of `take` at this time. An entry of 1970 is older than an hour. */
    giveBack: async (receiver: string, at: Date) => {
      await model.updateOne({ _id: receiver, sentAt: at }, { $set: { 'sentAt.$': new Date(0) } })
    },

    /** True for a limited number of calls of a network in an hour (UTC). The network must have been counted by `take`. */
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

/** Counts a code of this hour (UTC), or returns why it may not be sent: half of the budget is kept for first codes. */
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
