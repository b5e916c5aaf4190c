import type { Migration } from '@sumlock/service-kit/migrations'
import { deleteInBatches, updateInBatches, updateNext } from '@sumlock/service-kit/write-in-batches'
import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import { expiring, lifetimeMs, redeemable } from '../domain/gift.ts'
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

/** A gift in these states no longer needs its recipient. */
const ended: readonly GiftStatus[] = ['redeemed', 'expired', 'refunded']
/** These fields are removed when a gift ends. */
const recipient = { recipientEmail: 1, giftMessage: 1 } as const

/** This migration removes the recipient of gifts that ended before `move` did so. */
export const endedGiftsForget: Migration = {
  id: '0003-ended-gifts-forget',
  async up(connection) {
    const gifts = connection.collection('subscription_gifts')
    const telling = { status: { $in: [...ended] }, recipientEmail: { $exists: true } }
    await updateInBatches(gifts, telling, { $unset: recipient })
  },
}

/** This migration gives an expiry to gifts that were disputed before their payment was reported. */
export const disputedGiftsExpire: Migration = {
  id: '0005-disputed-gifts-expire',
  async up(connection) {
    const gifts = connection.collection('subscription_gifts')
    const endless = { status: 'disputed', expiresAt: null }
    const ending = { paidAt: '$createdAt', expiresAt: { $add: ['$createdAt', lifetimeMs] } }
    await updateInBatches(gifts, endless, [{ $set: ending }])
  },
}

export function createGiftStore(connection: Connection) {
  const model = connection.model('Gift', schema)
  return {
    insert: async (gift: Gift, session: ClientSession) => {
      await new model(gift).save({ session })
    },
    byId: (id: string, session: ClientSession | null = null) =>
      model.findById(id).session(session).lean<Gift>().exec(),
    byCodeHash: (codeHash: string) => model.findOne({ codeHash }).lean<Gift>().exec(),

    /** Changes the gift; resolves with false, and changes nothing, when its status is not one of `from`. */
    move: async (
      id: string,
      from: readonly GiftStatus[],
      change: Pick<Gift, 'status'> & Partial<Gift>,
      session: ClientSession,
    ): Promise<boolean> => {
      const filter = { _id: id, status: trusted({ $in: [...from] }) }
      const forgotten = ended.includes(change.status) ? { $unset: recipient } : {}
      return (await model.updateOne(filter, { $set: change, ...forgotten }, { session })).modifiedCount === 1
    },
    /** Redeems the gift and resolves with it, or with null when it cannot be redeemed. */
    redeem: (codeHash: string, userId: string, now: Date, session: ClientSession) =>
      model
        .findOneAndUpdate(
          { codeHash, status: trusted({ $in: [...redeemable] }), expiresAt: trusted({ $gt: now }) },
          {
            $set: { status: 'redeemed', isRedeemed: true, redeemedBy: userId, redeemedAt: now },
            $unset: recipient,
          },
          { session, returnDocument: 'after' },
        )
        .lean<Gift>()
        .exec(),

    /**
     * Finds gifts that were paid before this time and not mailed. A gift of a purged buyer has no recipient and is never
     * mailed.
     */
    unsent: (paidBefore: Date, limit: number) =>
      model
        .find({
          status: 'paid',
          paidAt: trusted({ $lt: paidBefore }),
          recipientEmail: trusted({ $exists: true }),
        })
        .limit(limit)
        .lean<Gift[]>()
        .exec(),
    expire: async (now: Date, stopping?: AbortSignal) => {
      const due = { status: { $in: [...expiring] }, expiresAt: { $lte: now } }
      await updateInBatches(
        model.collection,
        due,
        { $set: { status: 'expired' }, $unset: recipient },
        stopping,
      )
    },
    /** Removes gifts that were requested before this time and never paid. */
    pruneUnpaid: async (createdBefore: Date, stopping?: AbortSignal) => {
      const left = { status: 'created', paidAt: null, createdAt: { $lt: createdBefore } } as const
      await deleteInBatches(model.collection, left, stopping)
    },
    /**
     * Replaces the buyer in the next batch of a person's gifts and removes the recipients; resolves with false when no gift
     * is left.
     */
    forgetBuyer: (userId: string, standIn: string): Promise<boolean> => {
      const update = { $set: { buyerId: standIn }, $unset: recipient }
      return updateNext(model.collection, { buyerId: userId }, update)
    },
    /** Replaces the redeemer in the next batch of gifts that a person redeemed; resolves with false when none is left. */
    replaceRecipient: (userId: string, standIn: string): Promise<boolean> =>
      updateNext(model.collection, { redeemedBy: userId }, { $set: { redeemedBy: standIn } }),
  }
}
