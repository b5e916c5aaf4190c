import { transact } from '@sumlock/service-kit/transact'
import { updateNext } from '@sumlock/service-kit/write-in-batches'
import type { ClientSession, Connection, mongo } from 'mongoose'
import type { MediaRow, MessageName } from '../domain/media.ts'
import { isCounted, uncounted } from './media-counting.ts'
import type { MediaUsage } from './media-usage.ts'

const unmarked: MediaRow['status'][] = ['reserved', 'stored', 'bound']

/** Marks files for the sweep, which removes their objects and then their rows. */
export function createMediaRemoval(
  connection: Connection,
  media: mongo.Collection<MediaRow>,
  usage: MediaUsage,
) {
  return {
    /** Returns the rows that the sweep has to check by now. */
    due: (now: Date, most: number) =>
      media
        .find({ sweepAt: { $lte: now } })
        .sort({ sweepAt: 1 })
        .limit(most)
        .toArray(),

    /** Records that the message of a bound file exists, so that the sweep does not check it again. */
    async keep({ _id }: MediaRow): Promise<void> {
      await media.updateOne({ _id, status: 'bound' }, { $unset: { sweepAt: '' } })
    },

    /**
     * Begins the removal of a file, whose row then accepts no upload. Resolves with null when the row has changed since it
     * was read.
     */
    beginRemoval({ _id, status, sweepAt }: MediaRow): Promise<MediaRow | null> {
      const unchanged = { _id, status, ...(sweepAt ? { sweepAt } : {}) }
      const $set = { status: 'removing' as const }
      return media.findOneAndUpdate(unchanged, { $set }, { returnDocument: 'after' })
    },

    /** Postpones the sweep of a row, unless its times have changed since the row was read. */
    async postpone({ _id, sweepAt: before, countedUntil }: MediaRow, sweepAt: Date): Promise<void> {
      const unchanged = { _id, ...(before && { sweepAt: before }), ...(countedUntil && { countedUntil }) }
      await media.updateOne(unchanged, { $set: { sweepAt } })
    },

    /** Marks files for the sweep. A marked file cannot be read. */
    async removeByKeys(keys: readonly string[], now: Date): Promise<void> {
      await media.updateMany({ _id: { $in: [...keys] } }, { $set: { status: 'removing', sweepAt: now } })
    },

    /**
     * Marks the files that are bound to a message that was taken back, so that they go before all others; and the file `key`,
     * which the sender has uploaded for it, unless it is bound to another message.
     */
    async removeOfMessage(message: MessageName, key?: string, session?: ClientSession): Promise<void> {
      const { conversationId, senderId, clientMessageId } = message
      const bound = { conversationId, senderId, clientMessageId }
      const $or = [
        { status: 'bound' as const, bound },
        { status: 'removing' as const, bound, ...isCounted },
        ...(key === undefined ? [] : [{ _id: key, status: 'stored' as const }]),
      ]
      const $set = { status: 'removing' as const, sweepAt: new Date(0) }
      await media.updateMany({ ownerId: senderId, $or }, { $set, $unset: uncounted }, session && { session })
    },

    /**
     * Marks the next files of a person that were reserved at `before` or earlier. Resolves with false when no unmarked file
     * is left, and none that is only counted.
     */
    removeOfOwner(ownerId: string, before: Date, now: Date): Promise<boolean> {
      const filter = { ownerId, createdAt: { $lte: before }, $or: [{ status: { $in: unmarked } }, isCounted] }
      return updateNext(media, filter, { $set: { status: 'removing', sweepAt: now }, $unset: uncounted })
    },

    /** Removes the row of a file whose objects are gone, and frees its bytes. */
    finishRemoval: ({ _id, ownerId }: MediaRow) =>
      transact(connection, async (session) => {
        const row = await media.findOneAndDelete({ _id, status: 'removing' }, { session })
        if (row) await usage.count(session, ownerId, -row.bytes)
      }),
  }
}
