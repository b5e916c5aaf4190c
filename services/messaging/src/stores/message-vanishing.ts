import { rowsAtOnce, updateNext } from '@sumlock/service-kit/write-in-batches'
import type { mongo } from 'mongoose'
import type { MessageRecord } from '../domain/message.ts'
import { emptying } from './emptying.ts'

/** A person has read or deleted the messages of these conversations that others sent up to a seq or a time. */
interface SeenMessages {
  readerId: string
  conversationIds: readonly string[]
  upTo: number | Date
}

/** Starts the time of messages that vanish, and empties them when it is over. */
export function createMessageVanishing(collection: mongo.Collection<MessageRecord>) {
  return {
    /** Starts the time of messages that were not seen before. */
    async startTimes({ readerId, conversationIds, upTo }: SeenMessages, now: Date): Promise<void> {
      const unseen: mongo.Filter<MessageRecord> = {
        conversationId: { $in: [...conversationIds] },
        senderId: { $ne: readerId },
        isUnseen: true,
        ...(typeof upTo === 'number' ? { seq: { $lte: upTo } } : { createdAt: { $lte: upTo } }),
      }
      // The clocks of replicas differ, and the recipient's end must not be before the sender's.
      const end = { $add: [{ $max: ['$createdAt', now] }, '$vanishMs'] }
      const vanishAt = { $cond: [{ $gt: ['$vanishAt', now] }, end, '$vanishAt'] }
      while (await updateNext(collection, unseen, [{ $set: { vanishAt } }, { $unset: 'isUnseen' }]));
    },

    /** Returns the next messages whose time is over for both members. */
    dueToVanish: (now: Date): Promise<Pick<MessageRecord, '_id' | 'mediaUrl'>[]> =>
      collection
        .find({ vanishAt: { $lte: now } }, { projection: { mediaUrl: 1 } })
        .sort({ vanishAt: 1 })
        .limit(rowsAtOnce)
        .toArray(),

    /**
     * Empties messages, except those that were taken back meanwhile. One that opens once keeps what its members are shown
     * of it.
     */
    async vanish(keys: readonly string[], now: Date): Promise<void> {
      const due = { _id: { $in: [...keys] }, vanishAt: { $lte: now } }
      await Promise.all([
        collection.updateMany({ ...due, isOnce: { $exists: false } }, emptying({ isVanished: true })),
        collection.updateMany(
          { ...due, isOnce: true },
          {
            $set: { content: '', mediaUrl: null, isVanished: true },
            $unset: { sealed: '', vanishAt: '', 'open.by': '' },
          },
        ),
      ])
    },
  }
}
