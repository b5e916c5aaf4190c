import { deleteInBatches, updateNext } from '@sumlock/service-kit/write-in-batches'
import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import type { Payment } from '../domain/payment.ts'

const schema = new Schema<Payment>(
  {
    _id: String,
    userId: { type: String, required: true },
    kind: { type: String, required: true },
    giftId: { type: String, default: null },
    provider: { type: String, required: true },
    cents: { type: Number, required: true },
    currency: { type: String, required: true },
    status: { type: String, required: true },
    openKey: String,
    checkoutId: String,
    checkoutUrl: String,
    createdAt: { type: Date, required: true },
    paidAt: { type: Date, default: null },
    checkedAt: { type: Date, required: true },
    grantId: String,
    disputesRead: Number,
    ended: new Schema({ at: Date, reason: String, takenMs: Number }, { _id: false }),
  },
  { collection: 'payments', versionKey: false },
)

export function createPaymentStore(connection: Connection) {
  const model = connection.model('Payment', schema)
  return {
    insert: async (payment: Payment, session: ClientSession) => {
      await model.collection.insertOne(payment as never, { session })
    },
    byId: (id: string, session: ClientSession | null = null) =>
      model.findById(id).session(session).lean<Payment>().exec(),
    /** Finds the payments for gifts of a buyer that ended early at `since` or later. */
    endedGiftsOf: (userId: string, since: Date) =>
      model
        .find({ userId, kind: 'gift', 'ended.at': trusted({ $gte: since }) })
        .lean<Payment[]>()
        .exec(),
    byOpenKey: (openKey: string) => model.findOne({ openKey }).lean<Payment>().exec(),

    /** Removes the unique key, so that the same purchase can be made again. */
    release: async ({ _id }: Payment) => {
      await model.updateOne({ _id }, { $unset: { openKey: 1 } })
    },
    setCheckout: async (id: string, checkout: { checkoutId: string; checkoutUrl?: string }) => {
      await model.updateOne({ _id: id }, { $set: checkout })
    },
    update: async (_id: string, change: Partial<Payment>, session: ClientSession) => {
      await model.updateOne({ _id }, { $set: change }, { session })
    },
    /** Removes the record of an early end, because the dispute behind it was won. */
    forgetEnd: async (_id: string, session: ClientSession) => {
      await model.updateOne({ _id }, { $unset: { ended: 1 } }, { session })
    },
    /**
     * Counts a reading of a payment's disputes; resolves with false when another one was stored after `readBefore` was read.
     */
    countReading: async (_id: string, readBefore: number | undefined, session: ClientSession) => {
      const filter = { _id, disputesRead: readBefore ?? null }
      const counted = await model.updateOne(filter, { $inc: { disputesRead: 1 } }, { session })
      return counted.modifiedCount === 1
    },

    /** Claims an open payment that was last checked before `uncheckedSince`; resolves with null when there is none. */
    claimUnchecked: async (uncheckedSince: Date, now: Date): Promise<Payment | null> =>
      model
        .findOneAndUpdate(
          { status: 'created', checkedAt: trusted({ $lt: uncheckedSince }) },
          { $set: { checkedAt: now } },
        )
        .lean<Payment>()
        .exec(),
    /** Removes payments that were begun before this time and never paid. */
    pruneUnpaid: async (createdBefore: Date, stopping?: AbortSignal) => {
      const left = { status: { $in: ['created', 'failed'] }, paidAt: null, createdAt: { $lt: createdBefore } }
      await deleteInBatches(model.collection, left as never, stopping)
    },
    /** Moves the next batch of a person's payments to another id; resolves with false when none is left. */
    replacePerson: (userId: string, standIn: string): Promise<boolean> =>
      updateNext(model.collection, { userId }, { $set: { userId: standIn }, $unset: { openKey: '' } }),
  }
}
