import { Schema } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import type { UnlockBudget } from '../domain/unlock-budget.ts'
import type { WaitingTry } from '../domain/unlock-turn.ts'

type Row = UnlockBudget & { _id: string; version: number }

const schema = new Schema<Row>(
  {
    _id: String,
    version: { type: Number, required: true },
    day: { type: Number, required: true },
    explicit: { type: Number, required: true },
    pausedUntil: { type: Date, default: null },
    soft: { type: Number, required: true },
    wrongEntries: { type: Number, required: true },
    turn: { type: Schema.Types.Mixed, required: true },
    sessions: { type: Schema.Types.Mixed, required: true },
  },
  { collection: 'unlock_budgets', versionKey: false, minimize: false },
)

/**
 * Stores one row per account and changes it by compare-and-set: of two replicas that read the same version, only one can
 * write.
 */
export function createUnlockBudgetStore(connection: Connection) {
  const model = connection.model('UnlockBudget', schema)
  return {
    /** Resolves with null before the first try. */
    read: async (userId: string): Promise<{ budget: UnlockBudget; version: number } | null> => {
      const row = await model.findById(userId).lean<Row>().exec()
      if (!row) return null
      const { _id, version, ...budget } = row
      return { budget, version }
    },

    /**
     * Replaces the row of this version, or inserts the row for version 0; resolves with false when another try was faster.
     */
    write: async (userId: string, version: number, budget: UnlockBudget): Promise<boolean> => {
      const row = { ...budget, version: version + 1 }
      if (version > 0) return (await model.replaceOne({ _id: userId, version }, row)).modifiedCount === 1
      try {
        await model.collection.insertOne({ _id: userId, ...row } as never)
        return true
      } catch (error) {
        // guard: one-turn-at-a-time
        if ((error as { code?: number }).code === 11000) return false
        throw error
      }
    },

    /** Removes all tries, because they were for a PIN that no longer exists. */
    remove: async (userId: string, session: ClientSession): Promise<void> => {
      await model.deleteOne({ _id: userId }, { session })
    },

    /**
     * Reserves the next turn for a waiting try. The version stays the same, so that a comparison that runs can still be
     * stored.
     */
    reserve: async (userId: string, version: number, reservedFor: WaitingTry): Promise<void> => {
      await model.updateOne({ _id: userId, version }, { $set: { 'turn.reservedFor': reservedFor } })
    },
  }
}
