import { Schema, trusted } from 'mongoose'
import type { Connection } from 'mongoose'
import { takeOverMs } from '../domain/delivery.ts'
import type { Delivery } from '../domain/delivery.ts'

const schema = new Schema(
  {
    _id: String,
    sealed: {
      type: new Schema({ keyId: String, iv: String, ciphertext: String, tag: String }, { _id: false }),
      default: null,
    },
    state: { type: String, required: true },
    attempts: { type: Number, required: true },
    dueAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    lastError: { type: String, default: null },
    createdAt: { type: Date, required: true },
  },
  { collection: 'deliveries', versionKey: false },
)

export type DeliveryStore = ReturnType<typeof createDeliveryStore>

/** What is to be sent, is being sent, and was sent. A notice whose fate is known keeps no content. */
export function createDeliveryStore(connection: Connection) {
  const model = connection.model('Delivery', schema)
  // The count of attempts tells a claim from the one that took it over: who lost his has nothing more to say.
  const held = ({ _id, attempts }: Delivery) => ({ _id, attempts, state: 'sending' })
  return {
    /** False when the notice is known already. */
    add: async (delivery: Delivery): Promise<boolean> => {
      try {
        await model.collection.insertOne(delivery as never)
        return true
      } catch (error) {
        if ((error as { code?: number }).code === 11000) return false
        throw error
      }
    },
    /** Takes the next due delivery for this process, for as long as a sending may take; null when there is none. */
    claim: (now: Date) =>
      model
        .findOneAndUpdate(
          { state: trusted({ $in: ['queued', 'sending'] }), dueAt: trusted({ $lte: now }) },
          { $set: { state: 'sending', dueAt: new Date(now.getTime() + takeOverMs) }, $inc: { attempts: 1 } },
          { sort: { dueAt: 1 }, returnDocument: 'after', lean: true },
        )
        .exec() as unknown as Promise<Delivery | null>,
    retryAt: async (claimed: Delivery, dueAt: Date, lastError: string) => {
      await model.updateOne(held(claimed), { $set: { state: 'queued', dueAt, lastError } })
    },
    settle: async (
      claimed: Delivery,
      state: 'sent' | 'expired' | 'failed',
      lastError: string | null = null,
    ) => {
      await model.updateOne(held(claimed), { $set: { state, lastError, sealed: null } })
    },
  }
}
