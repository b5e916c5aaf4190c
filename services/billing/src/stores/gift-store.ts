import { updateInBatches, updateNext } from '@sumlock/service-kit/write-in-batches'
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
    expire: async (now: Date, stopping?: AbortSignal) => {
      const due = { status: { $in: [...redeemable] }, expiresAt: { $lte: now } }
      await updateInBatches(model.collection, due, { $set: { status: 'expired' } }, stopping)
    },
    /** Moves the next gifts that a person has bought to another id, and forgets for whom they were; false when none is left. */
    forgetBuyer: (userId: string, standIn: string): Promise<boolean> => {
      const forgotten = { buyerId: standIn, recipientEmail: 'erased', giftMessage: '' }
      return updateNext(model.collection, { buyerId: userId }, { $set: forgotten })
    },
    /** Moves the next gifts that a person has redeemed to another id; false when none is left. */
    replaceRecipient: (userId: string, standIn: string): Promise<boolean> =>
      updateNext(model.collection, { redeemedBy: userId }, { $set: { redeemedBy: standIn } }),
  }
}
