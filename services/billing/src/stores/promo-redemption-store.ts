import { deleteInBatches, deleteNext, updateInBatches } from '@sumlock/service-kit/write-in-batches'
import { Schema } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import type { StorePlatform } from '../domain/mobile-subscription.ts'
import type { PromoRedemption } from '../domain/promo-redemption.ts'

const schema = new Schema<PromoRedemption>(
  {
    _id: String,
    userId: { type: String, required: true },
    platform: { type: String, required: true, enum: ['ios', 'android'] },
    promoCode: { type: String, required: true },
    status: { type: String, required: true, default: 'pending' },
    errorMessage: { type: String, default: null },
    subscriptionId: { type: String, default: null },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'promo_code_redemptions', versionKey: false },
)

const timeoutMessage = 'The store has not confirmed this code within 24 hours.'

export function createPromoRedemptionStore(connection: Connection) {
  const model = connection.model('PromoRedemption', schema)
  return {
    insert: async (redemption: PromoRedemption) => {
      await new model(redemption).save()
    },
    newestOf: (userId: string, limit: number) =>
      model.find({ userId }).sort({ createdAt: -1 }).limit(limit).lean<PromoRedemption[]>().exec(),
    pendingWith: (filter: Pick<PromoRedemption, 'userId' | 'platform' | 'promoCode'>) =>
      model
        .findOne({ ...filter, status: 'pending' })
        .lean<PromoRedemption>()
        .exec(),

    /** Confirms the newest pending code of this person at this store. */
    succeed: async (
      { userId, platform }: { userId: string; platform: StorePlatform },
      subscriptionId: string,
      now: Date,
      session: ClientSession,
    ) => {
      await model
        .findOneAndUpdate(
          { userId, platform, status: 'pending' },
          { $set: { status: 'success', subscriptionId, updatedAt: now } },
          { session, sort: { createdAt: -1 } },
        )
        .exec()
    },
    failPending: async (createdBefore: Date, now: Date, stopping?: AbortSignal) => {
      const late = { status: 'pending', createdAt: { $lte: createdBefore } } as const
      const failed = { status: 'failed', errorMessage: timeoutMessage, updatedAt: now } as const
      await updateInBatches(model.collection, late, { $set: failed }, stopping)
    },
    /** Removes codes that were entered before this time and that no store has confirmed. */
    pruneUnused: async (createdBefore: Date, stopping?: AbortSignal) => {
      const left = { status: { $in: ['pending', 'failed'] }, createdAt: { $lt: createdBefore } }
      await deleteInBatches(model.collection, left as never, stopping)
    },
    /** Removes the next batch of a person's codes; resolves with false when none is left. */
    forgetPerson: (userId: string): Promise<boolean> => deleteNext(model.collection, { userId }),
  }
}
