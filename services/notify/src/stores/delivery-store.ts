import type { Backlog } from '@sumlock/service-kit/backlog-metrics'
import { Schema, trusted } from 'mongoose'
import type { Connection } from 'mongoose'
import type { Channel, Delivery } from '../domain/delivery.ts'

const schema = new Schema(
  {
    _id: String,
    channel: String,
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

/** Identifies a claim: `attempts` grows with every claim, so a later claim of the same delivery has a higher number. */
type Claimed = Pick<Delivery, '_id' | 'attempts'>

/** Stores deliveries with their state. The content of a settled delivery is removed. */
export function createDeliveryStore(connection: Connection) {
  const model = connection.model('Delivery', schema)
  /** This filter matches the delivery only while no other process has taken it over. */
  const own = ({ _id, attempts }: Claimed) => ({ _id, attempts, state: 'sending' })
  return {
    /** Returns false when the notice was added before. */
    add: async (delivery: Delivery): Promise<boolean> => {
      try {
        await model.collection.insertOne(delivery as never)
        return true
      } catch (error) {
        if ((error as { code?: number }).code === 11000) return false
        throw error
      }
    },
    /** Claims the next due delivery of a channel for `forMs` milliseconds; resolves with null when none is due. */
    claim: (channel: Channel, now: Date, forMs: number) =>
      model
        .findOneAndUpdate(
          {
            channel: channel === 'sms' ? channel : trusted({ $in: ['mail', null] }),
            state: trusted({ $in: ['queued', 'sending'] }),
            dueAt: trusted({ $lte: now }),
          },
          { $set: { state: 'sending', dueAt: new Date(now.getTime() + forMs) }, $inc: { attempts: 1 } },
          { sort: { dueAt: 1 }, returnDocument: 'after', lean: true },
        )
        .exec() as unknown as Promise<Delivery | null>,
    /** Ends the claim; the next attempt is due at `dueAt`. */
    release: async (claimed: Claimed, dueAt: Date, lastError: string | null) => {
      await model.updateOne(own(claimed), { $set: { state: 'queued', dueAt, lastError } })
    },
    /** Ends the delivery and removes its content. */
    settle: async (
      claimed: Claimed,
      state: 'sent' | 'expired' | 'failed',
      lastError: string | null = null,
    ) => {
      // A delivery that was sent is settled even if another process has taken it over, so that it is not sent again.
      const filter = state === 'sent' ? { _id: claimed._id } : own(claimed)
      await model.updateOne(filter, { $set: { state, lastError, sealed: null } })
    },
    /** Counts the deliveries that are queued or being sent, up to `countedTo`, and finds the oldest of them. */
    backlog: async (countedTo: number): Promise<Backlog> => {
      const filter = { state: trusted({ $in: ['queued', 'sending'] }) }
      const [size, oldest] = await Promise.all([
        model.countDocuments(filter).hint('pending').limit(countedTo).exec(),
        model
          .findOne(filter, { createdAt: 1 })
          .sort({ createdAt: 1 })
          .hint('pending')
          .lean<{ createdAt: Date }>()
          .exec(),
      ])
      return { size, oldest: oldest?.createdAt }
    },
    /** Removes up to `limit` settled deliveries that were created before `before`; resolves with their number. */
    prune: async (before: Date, limit: number): Promise<number> => {
      const old = await model
        .find(
          { state: trusted({ $in: ['sent', 'expired', 'failed'] }), createdAt: trusted({ $lt: before }) },
          { _id: 1 },
        )
        .sort({ createdAt: 1 })
        .limit(limit)
        .lean<{ _id: string }[]>()
        .exec()
      if (old.length === 0) return 0
      const { deletedCount } = await model.deleteMany({ _id: trusted({ $in: old.map(({ _id }) => _id) }) })
      return deletedCount
    },
  }
}
