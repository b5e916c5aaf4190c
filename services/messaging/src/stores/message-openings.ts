import type { ClientSession, mongo } from 'mongoose'
import type { OnceReader, Opening } from '../domain/once.ts'
import type { MessageRecord } from '../domain/message.ts'

/** Finds messages that open once, and stores their openings. */
export function createMessageOpenings(collection: mongo.Collection<MessageRecord>) {
  return {
    once: (messageId: string, session?: ClientSession): Promise<MessageRecord | null> =>
      collection.findOne({ messageId, isOnce: true }, session && { session }),

    /** Resolves with false when the message was opened or taken back meanwhile. */
    async open(
      session: ClientSession,
      { _id }: Pick<MessageRecord, '_id'>,
      fields: { open: Opening & { by: OnceReader }; vanishAt: Date; version?: number },
    ): Promise<boolean> {
      const unopened = { _id, isOnce: true as const, open: { $exists: false } }
      return (await collection.updateOne(unopened, { $set: fields }, { session })).modifiedCount > 0
    },

    /** Ends the reading of this session. Resolves with false when the session reads no such message. */
    async close(messageId: string, sessionId: string, now: Date): Promise<boolean> {
      const read = { messageId, isOnce: true as const, 'open.by.sessionId': sessionId }
      return (await collection.updateOne(read, { $min: { vanishAt: now } })).matchedCount > 0
    },
  }
}
