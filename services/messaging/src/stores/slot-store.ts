import { collectionOf } from '@sumlock/service-kit/collection-of'
import type { Connection } from 'mongoose'
import type { SlotRecord } from '../domain/slot.ts'

const durable = { writeConcern: { w: 'majority', j: true } } as const

export type SlotStore = ReturnType<typeof createSlotStore>

/** The free slots of the last days. The driver need not retry a write: the client sends its message again under the same key. */
export function createSlotStore(connection: Connection) {
  const collection = collectionOf<SlotRecord>(connection, 'slots')

  return {
    /** False when the slot exists, even if majority reads do not show it yet. */
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

    /** False when the slot is no longer exactly the one that was read. */
    async replace(read: SlotRecord, { _id, ...fields }: SlotRecord): Promise<boolean> {
      const { matchedCount } = await collection.updateOne({ ...read }, { $set: fields }, durable)
      return matchedCount === 1
    },

    byIds: (ids: readonly string[]): Promise<SlotRecord[]> =>
      collection.find({ _id: { $in: [...ids] } }).toArray(),

    async removeOfPerson(userId: string): Promise<void> {
      // '}' is the character after '|'.
      await collection.deleteMany({ _id: { $gt: `${userId}|`, $lt: `${userId}}` } }, durable)
    },
  }
}
