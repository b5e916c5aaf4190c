import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import type { Gift, GiftStatus } from '../domain/gift.ts'

const schema = new Schema<Gift>(
  {
    _id: String,
    buyerId: { type: String, required: true },
    recipientEmail: { type: String, required: true },
    giftMessage: String,
    codeKeyId: { type: String, required: true },
    codeHash: { type: String, required: true },
    status: { type: String, required: true },
    createdAt: { type: Date, required: true },
    paidAt: { type: Date, default: null },
    expiresAt: { type: Date, default: null },
    isRedeemed: { type: Boolean, default: false },
    redeemedBy: { type: String, default: null },
    redeemedAt: { type: Date, default: null },
  },
  { collection: 'subscription_gifts', versionKey: false },
)

/** The states in which a gift can be redeemed. */
const redeemable: readonly GiftStatus[] = ['paid', 'sent']

export function createGiftStore(connection: Connection) {
  const model = connection.model('Gift', schema)
  return {
    insert: async (gift: Gift, session: ClientSession) => {
      await new model(gift).save({ session })
    },
    byId: (id: string, session: ClientSession | null = null) =>
      model.findById(id).session(session).lean<Gift>().exec(),
    byCodeHash: (codeHash: string) => model.findOne({ codeHash }).lean<Gift>().exec(),

    /** False when the gift has none of these states. */
    move: async (
      id: string,
      from: readonly GiftStatus[],
      change: Pick<Gift, 'status'> & Partial<Gift>,
      session: ClientSession,
    ): Promise<boolean> => {
      const filter = { _id: id, status: trusted({ $in: [...from] }) }
      return (await model.updateOne(filter, { $set: change }, { session })).modifiedCount === 1
    },
    /** The gift, if it could be redeemed and now is; null otherwise. */
    redeem: (codeHash: string, userId: string, now: Date, session: ClientSession) =>
      model
        .findOneAndUpdate(
          { codeHash, status: trusted({ $in: [...redeemable] }), expiresAt: trusted({ $gt: now }) },
          { $set: { status: 'redeemed', isRedeemed: true, redeemedBy: userId, redeemedAt: now } },
          { session, returnDocument: 'after' },
        )
        .lean<Gift>()
        .exec(),

    /** Paid before this time, and still not mailed. */
    unsent: (paidBefore: Date, limit: number) =>
      model
        .find({ status: 'paid', paidAt: trusted({ $lt: paidBefore }) })
        .limit(limit)
        .lean<Gift[]>()
        .exec(),
    expire: async (now: Date) => {
      const due = { status: trusted({ $in: [...redeemable] }), expiresAt: trusted({ $lte: now }) }
      await model.updateMany(due, { $set: { status: 'expired' } })
    },
    /** Moves the gifts of a person to another id, and forgets for whom they were. */
    replacePerson: async (userId: string, standIn: string, session: ClientSession) => {
      const forgotten = { buyerId: standIn, recipientEmail: 'erased', giftMessage: '' }
      await model.updateMany({ buyerId: userId }, { $set: forgotten }, { session })
      await model.updateMany({ redeemedBy: userId }, { $set: { redeemedBy: standIn } }, { session })
    },
  }
}
