import type { Backlog } from '@sumlock/service-kit/backlog-metrics'
import { Schema, trusted } from 'mongoose'
import type { Connection } from 'mongoose'
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

const takeOverMs = 30_000

/** Deliveries by state. A settled delivery keeps no content. */
export function createDeliveryStore(connection: Connection) {
  const model = connection.model('Delivery', schema)
  const settle = async (
    id: string,
    state: 'sent' | 'expired' | 'failed',
    lastError: string | null = null,
  ) => {
    await model.updateOne({ _id: id }, { $set: { state, lastError, sealed: null } })
  }
  return {
    /** False when the notice was added before. */
    add: async (delivery: Delivery): Promise<boolean> => {
      try {
        await model.collection.insertOne(delivery as never)
        return true
      } catch (error) {
        if ((error as { code?: number }).code === 11000) return false
        throw error
      }
    },
    /** Claims the next due delivery for this process; null without one. */
    claim: (now: Date) =>
      model
        .findOneAndUpdate(
          { state: trusted({ $in: ['queued', 'sending'] }), dueAt: trusted({ $lte: now }) },
          { $set: { state: 'sending', dueAt: new Date(now.getTime() + takeOverMs) }, $inc: { attempts: 1 } },
          { sort: { dueAt: 1 }, returnDocument: 'after', lean: true },
        )
        .exec() as unknown as Promise<Delivery | null>,
    retryAt: async (id: string, dueAt: Date, lastError: string) => {
      await model.updateOne({ _id: id }, { $set: { state: 'queued', dueAt, lastError } })
    },
    /** The deliveries that are due, counted up to a limit. */
    due: async (now: Date, countedTo: number): Promise<Backlog> => {
      const filter = { state: trusted({ $in: ['queued', 'sending'] }), dueAt: trusted({ $lte: now }) }
      const [size, oldest] = await Promise.all([
        model.countDocuments(filter).limit(countedTo).exec(),
        model.findOne(filter, { dueAt: 1 }).sort({ dueAt: 1 }).lean<{ dueAt: Date }>().exec(),
      ])
      return { size, oldest: oldest?.dueAt }
    },
    settle,
    /** Removes up to `limit` settled deliveries older than `before`; resolves with their number. */
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
