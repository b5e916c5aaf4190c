import { transact } from '@sumlock/service-kit/transact'
import { updateNext } from '@sumlock/service-kit/write-in-batches'
import type { Connection, mongo } from 'mongoose'
import type { MediaRow } from '../domain/media.ts'
import type { MediaUsage } from './media-usage.ts'

const unmarked: MediaRow['status'][] = ['reserved', 'stored', 'bound']

/** Marks files for the sweep, which removes their objects and then their rows. */
export function createMediaRemoval(
  connection: Connection,
  media: mongo.Collection<MediaRow>,
  usage: MediaUsage,
) {
  return {
    /** Returns the rows that are due. */
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

    /** Begins the removal of a row, which accepts no further upload. Null when it has changed since it was read. */
    beginRemoval({ _id, status, sweepAt }: MediaRow): Promise<MediaRow | null> {
      const unchanged = { _id, status, ...(sweepAt ? { sweepAt } : {}) }
      const $set = { status: 'removing' as const }
      return media.findOneAndUpdate(unchanged, { $set }, { returnDocument: 'after' })
    },

    /** Postpones the sweep of a row, unless it has another time by now. */
    async postpone({ _id, sweepAt: before }: MediaRow, sweepAt: Date): Promise<void> {
      await media.updateOne({ _id, ...(before ? { sweepAt: before } : {}) }, { $set: { sweepAt } })
    },

    /** Marks files for the sweep. A marked file cannot be read. */
    async removeByKeys(keys: readonly string[], now: Date): Promise<void> {
      await media.updateMany({ _id: { $in: [...keys] } }, { $set: { status: 'removing', sweepAt: now } })
    },

    /** Marks files that a person has uploaded before a moment; false when all are marked. */
    removeOfOwner(ownerId: string, before: Date, now: Date): Promise<boolean> {
      const filter = { ownerId, status: { $in: unmarked }, createdAt: { $lte: before } }
      return updateNext(media, filter, { $set: { status: 'removing', sweepAt: now } })
    },

    /** Removes the row of a file whose objects are gone, and frees its bytes. */
    finishRemoval: ({ _id, ownerId }: MediaRow) =>
      transact(connection, async (session) => {
        const row = await media.findOneAndDelete({ _id, status: 'removing' }, { session })
        if (row) await usage.count(session, ownerId, -row.bytes)
      }),
  }
}
