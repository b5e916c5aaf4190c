import { updateNext } from '@sumlock/service-kit/write-in-batches'
import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import type { MobileSubscription } from '../domain/mobile-subscription.ts'

const schema = new Schema<MobileSubscription>(
  {
    _id: String,
    userId: { type: String, required: true },
    platform: { type: String, required: true, enum: ['ios', 'android'] },
    productId: { type: String, required: true },
    purchaseToken: { type: String, default: null },
    originalTransactionId: { type: String, default: null },
    latestReceiptInfo: Object,
    purchaseDate: { type: Date, required: true },
    expiryDate: { type: Date, required: true },
    isActive: { type: Boolean, default: true },
    autoRenewing: { type: Boolean, default: true },
    cancellationDate: { type: Date, default: null },
    lastVerifiedAt: { type: Date, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    storeKey: { type: String, required: true },
    isAcknowledged: { type: Boolean, required: true },
    checkedAt: { type: Date, required: true },
    offer: { type: String, default: null },
    isSandbox: Boolean,
    isOrphan: Boolean,
  },
  { collection: 'mobile_subscriptions', versionKey: false },
)

export function createMobileSubscriptionStore(connection: Connection) {
  const model = connection.model('MobileSubscription', schema)
  return {
    byStoreKey: (storeKey: string, session: ClientSession | null = null) =>
      model.findOne({ storeKey }).session(session).lean<MobileSubscription>().exec(),
    latestOf: (userId: string) =>
      model.findOne({ userId }).sort({ expiryDate: -1 }).lean<MobileSubscription>().exec(),
    insert: async (subscription: MobileSubscription, session: ClientSession) => {
      await new model(subscription).save({ session })
    },
    update: async (id: string, change: Partial<MobileSubscription>, session: ClientSession) => {
      await model.updateOne({ _id: id }, { $set: change }, { session })
    },
    remove: async (id: string, session: ClientSession) => {
      await model.deleteOne({ _id: id }, { session })
    },
    markAcknowledged: async (id: string) => {
      await model.updateOne({ _id: id }, { $set: { isAcknowledged: true } })
    },
    unacknowledged: (limit: number) =>
      model.find({ isAcknowledged: false }).limit(limit).lean<MobileSubscription[]>().exec(),

    /** Claims a subscription that was last checked before `uncheckedSince` and has not ended before `endedSince`. */
    claimUnchecked: (uncheckedSince: Date, endedSince: Date, now: Date) =>
      model
        .findOneAndUpdate(
          { checkedAt: trusted({ $lt: uncheckedSince }), expiryDate: trusted({ $gt: endedSince }) },
          { $set: { checkedAt: now } },
        )
        .lean<MobileSubscription>()
        .exec(),
    /** Moves the next batch of a person's subscriptions to another id; resolves with false when none is left. */
    replacePerson: (userId: string, standIn: string): Promise<boolean> =>
      updateNext(model.collection, { userId }, { $set: { userId: standIn, isOrphan: true } }),
  }
}
