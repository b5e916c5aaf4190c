import { collectionOf } from '@sumlock/service-kit/collection-of'
import type { Connection } from 'mongoose'
import type { SlotRecord } from '../domain/slot.ts'

const durable = { writeConcern: { w: 'majority', j: true } } as const

export type SlotStore = ReturnType<typeof createSlotStore>

/**
 * Stores the free slots of the last days. The driver need not retry a write: the client sends its message again under the
 * same key.
 */
export function createSlotStore(connection: Connection) {
  const collection = collectionOf<SlotRecord>(connection, 'slots')

  return {
    /** Resolves with false when the slot exists, even if majority reads do not show it yet. */
    async insert(slot: SlotRecord): Promise<boolean> {
      try {
        await collection.insertOne({ ...slot }, durable)
        return true
      } catch (error) {
        // guard: one-slot-a-day
        if ((error as { code?: number }).code === 11000) return false
        throw error
      }
    },

    /** Resolves with false when the slot has changed since it was read. */
    async replace(read: SlotRecord, { _id, ...fields }: SlotRecord): Promise<boolean> {
      const { matchedCount } = await collection.updateOne({ ...read }, { $set: fields }, durable)
      return matchedCount === 1
    },

    byIds: (ids: readonly string[]): Promise<SlotRecord[]> =>
      collection.find({ _id: { $in: [...ids] } }).toArray(),

    async removeOfPerson(userId: string): Promise<void> {
      // The range ends at '}', because that is the character after '|'.
      await collection.deleteMany({ _id: { $gt: `${userId}|`, $lt: `${userId}}` } }, durable)
    },
  }
}
