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

const projection = {
  ...{ conversationId: 1, senderId: 1, seq: 1, createdAt: 1, mediaUrl: 1, isOnce: 1, isHidden: 1 },
} as const
type VanishingMessage = Pick<MessageRecord, '_id' | keyof typeof projection>

const { $set, $unset } = emptying({ isVanished: true })
const { own: _own, ...fields } = $unset
const ownContent = {
  ...{ 'own.sender.edited': '' as const, 'own.sender.reaction': '' as const },
  ...{ 'own.recipient.reaction': '' as const },
}
const vanishing = { $set, $unset: { ...fields, ...ownContent } }

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
    dueToVanish: (now: Date): Promise<VanishingMessage[]> =>
      collection
        .find({ vanishAt: { $lte: now } }, { projection })
        .sort({ vanishAt: 1 })
        .limit(rowsAtOnce)
        .toArray(),

    /**
     * Empties messages, except those that were taken back meanwhile. Each member keeps the version of the last change that
     * they were shown. A message that opens once keeps what its members are shown of it.
     */
    async vanish(keys: readonly string[], now: Date): Promise<void> {
      const due = { _id: { $in: [...keys] }, vanishAt: { $lte: now } }
      await Promise.all([
        collection.updateMany({ ...due, isOnce: { $exists: false } }, vanishing),
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
