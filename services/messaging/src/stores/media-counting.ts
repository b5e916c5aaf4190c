import type { ClientSession, mongo } from 'mongoose'
import type { MediaRow, MessageName } from '../domain/media.ts'

/** The owner does not notice that such a file is gone. */
export const isCounted = { countedUntil: { $exists: true } }
export const uncounted = { countedUntil: '' } as const

/** Leaves the bytes of removed files counted, so that their owners do not notice the removal. */
export function createMediaCounting(media: mongo.Collection<MediaRow>) {
  return {
    /** Leaves the bytes of files that are shown counted until a time, also when the files are removed before. */
    async countUntil(
      files: readonly { key: string; countedUntil: Date }[],
      session?: ClientSession,
    ): Promise<void> {
      const updates = files.map(({ key, countedUntil }) => ({
        updateOne: { filter: { _id: key, status: 'bound' as const }, update: { $set: { countedUntil } } },
      }))
      if (updates.length > 0) await media.bulkWrite(updates, { ordered: false, ...(session && { session }) })
    },

    /** Frees the bytes of removed files that are still counted for these messages. */
    async stopCounting(messages: readonly MessageName[], now: Date): Promise<void> {
      const bound = messages.map(({ conversationId, senderId, clientMessageId }) => ({
        ...{ conversationId, senderId, clientMessageId },
      }))
      const ownerId = { $in: messages.map(({ senderId }) => senderId) }
      const filter = { ownerId, status: 'removing' as const, bound: { $in: bound }, ...isCounted }
      await media.updateMany(filter, { $set: { sweepAt: now }, $unset: uncounted })
    },
  }
}
