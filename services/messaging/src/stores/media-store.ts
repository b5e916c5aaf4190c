import { limits } from '@sumlock/contracts/limits'
import { unavailable } from '@sumlock/service-kit/app-error'
import { createSemaphore } from '@sumlock/service-kit/semaphore'
import { transact } from '@sumlock/service-kit/transact'
import { updateNext } from '@sumlock/service-kit/write-in-batches'
import { Schema } from 'mongoose'
import type { Connection, mongo } from 'mongoose'
import { tooManyUploads } from '../domain/errors.ts'
import { uploadsEndAt } from '../domain/media.ts'
import type { MediaRow, MessageName } from '../domain/media.ts'
import type { MediaUsage } from './media-usage.ts'

const schema = new Schema<MediaRow>(
  {
    _id: String,
    ownerId: { type: String, required: true },
    sessionId: { type: String, required: true },
    status: { type: String, required: true },
    bytes: { type: Number, required: true },
    maxBytes: { type: Number, required: true },
    uploadUntil: { type: Date, required: true },
    attempts: { type: [String], required: true },
    storeKey: String,
    isRegistered: Boolean,
    bound: { type: Object },
    multipart: { type: Object },
    sweepAt: Date,
    createdAt: { type: Date, required: true },
  },
  { collection: 'media', versionKey: false },
)
const multipartMs = limits.multipartHours * 3_600_000
const unsentMs = limits.unsentMediaHours * 3_600_000
/** Tries of one upload: a client makes four by itself. */
const mostAttempts = 100
/** Uploads that begin or break off all at once leave the other connections to the database to texts. */
const attemptsAtOnce = 6
const attemptTimeoutMs = 5000
const after = (now: Date, ms: number) => new Date(now.getTime() + ms)
const unmarked: MediaRow['status'][] = ['reserved', 'stored', 'bound']
const isUnbound = { $in: ['reserved', 'stored'] as MediaRow['status'][] }

export type MediaStore = ReturnType<typeof createMediaStore>

/** The rows of media. A row comes before its object and goes after it. */
export function createMediaStore(connection: Connection, usage: MediaUsage) {
  const media = connection.model('Media', schema).collection as unknown as mongo.Collection<MediaRow>
  const attempts = createSemaphore({ permits: attemptsAtOnce })
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const permit = await attempts.acquire({ timeoutMs: attemptTimeoutMs })
    if (!permit) throw unavailable('the rows of media')
    return work().finally(permit.release)
  }

  return {
    byKeys: async (keys: readonly string[]): Promise<Map<string, MediaRow>> => {
      const rows = await media.find({ _id: { $in: [...keys] } }).toArray()
      return new Map(rows.map((row) => [row._id, row]))
    },

    /** Throws `storage_full` when the bytes do not fit into `limitBytes`, and `too_many_requests` when too many uploads are open. */
    async reserve(
      row: Pick<MediaRow, '_id' | 'ownerId' | 'sessionId' | 'bytes' | 'maxBytes' | 'multipart'>,
      limitBytes: number,
      now: Date,
    ): Promise<void> {
      const { ownerId, bytes } = row
      await usage.open(ownerId)
      const uploadUntil = after(now, row.multipart ? multipartMs : limits.uploadLifetimeSeconds * 1000)
      const sweepAt = row.multipart ? uploadUntil : uploadsEndAt({ uploadUntil })
      await transact(connection, async (session) => {
        await usage.count(session, ownerId, bytes, limitBytes)
        const open = { ownerId, status: 'reserved' as const, uploadUntil: { $gt: now } }
        if ((await media.countDocuments(open, { session })) >= limits.openUploads) {
          const first = await media.findOne(open, { session, sort: { uploadUntil: 1 } })
          throw tooManyUploads((first?.uploadUntil ?? now).getTime() - now.getTime())
        }
        const times = { uploadUntil, sweepAt, createdAt: now }
        await media.insertOne({ ...row, ...times, status: 'reserved', attempts: [] }, { session })
      })
    },

    /** Notes the key of an upload that begins; null when this session may not upload here. */
    beginAttempt: (
      { key, ownerId, sessionId }: { key: string; ownerId: string; sessionId: string },
      storeKey: string,
      now: Date,
    ): Promise<MediaRow | null> =>
      inTurn(() =>
        media.findOneAndUpdate(
          {
            // guard: upload-by-its-session
            ...{ _id: key, ownerId, sessionId },
            status: isUnbound,
            isRegistered: { $exists: false },
            multipart: { $exists: false },
            uploadUntil: { $gt: now },
            [`attempts.${mostAttempts}`]: { $exists: false },
          },
          { $push: { attempts: storeKey } },
        ),
      ),

    /** Makes an attempt the file of its row and counts its bytes; false when the row takes no file any more. */
    completeAttempt: (row: MediaRow, storeKey: string, bytes: number, limit: number, now: Date) =>
      transact(connection, async (session): Promise<boolean> => {
        const open = { _id: row._id, status: isUnbound, isRegistered: { $exists: false }, attempts: storeKey }
        const before = await media.findOne(open, { session })
        if (!before) return false
        const $set = { status: 'stored' as const, storeKey, bytes, sweepAt: after(now, unsentMs) }
        await media.updateOne({ _id: row._id }, { $set, $pull: { attempts: storeKey } }, { session })
        if (before.storeKey)
          await media.updateOne({ _id: row._id }, { $push: { attempts: before.storeKey } }, { session })
        const more = bytes - before.bytes
        await usage.count(session, row.ownerId, more, more > 0 ? limit : undefined)
        return true
      }),

    /** Forgets attempts whose objects are gone. */
    async endAttempts(key: string, storeKeys: readonly string[]): Promise<void> {
      await inTurn(() => media.updateOne({ _id: key }, { $pull: { attempts: { $in: [...storeKeys] } } }))
    },

    /** False unless the person has uploaded this file. */
    register: async (key: string, ownerId: string): Promise<boolean> => {
      const filter = { _id: key, ownerId, status: { $in: ['stored', 'bound'] as MediaRow['status'][] } }
      return (await media.updateOne(filter, { $set: { isRegistered: true } })).matchedCount > 0
    },

    /** Ties the file to the message that its owner is about to store; false when it belongs to another or does not exist. */
    bind: async (key: string, message: MessageName, now: Date): Promise<boolean> => {
      const { conversationId, senderId, clientMessageId } = message
      const bound = { conversationId, senderId, clientMessageId }
      const filter = {
        // guard: media-of-the-sender
        ...{ _id: key, ownerId: senderId },
        $or: [{ status: 'stored' as const }, { status: 'bound' as const, bound }],
      }
      const $set = {
        status: 'bound' as const,
        isRegistered: true as const,
        bound,
        sweepAt: after(now, unsentMs),
      }
      return (await media.updateOne(filter, { $set })).matchedCount > 0
    },

    /** Rows whose time has come. */
    due: (now: Date, most: number) =>
      media
        .find({ sweepAt: { $lte: now } })
        .sort({ sweepAt: 1 })
        .limit(most)
        .toArray(),

    /** The message of a bound file was seen: the sweep need not look again. */
    async keep({ _id }: MediaRow): Promise<void> {
      await media.updateOne({ _id, status: 'bound' }, { $unset: { sweepAt: '' } })
    },

    /** Begins the removal of a row, which accepts no further upload. Null when it has changed since it was read. */
    beginRemoval({ _id, status, sweepAt }: MediaRow): Promise<MediaRow | null> {
      const unchanged = { _id, status, ...(sweepAt ? { sweepAt } : {}) }
      const $set = { status: 'removing' as const }
      return media.findOneAndUpdate(unchanged, { $set }, { returnDocument: 'after' })
    },

    /** Has the sweep come back to a row later, unless it was told a time meanwhile. */
    async postpone({ _id, sweepAt: before }: MediaRow, sweepAt: Date): Promise<void> {
      await media.updateOne({ _id, ...(before ? { sweepAt: before } : {}) }, { $set: { sweepAt } })
    },

    /** Marks files for the sweep. A marked file cannot be read. */
    async removeByKeys(keys: readonly string[], now: Date): Promise<void> {
      await media.updateMany({ _id: { $in: [...keys] } }, { $set: { status: 'removing', sweepAt: now } })
    },

    /** The same for files that a person has uploaded before a moment; false when all are marked. */
    removeOfOwner(ownerId: string, before: Date, now: Date): Promise<boolean> {
      const filter = { ownerId, status: { $in: unmarked }, createdAt: { $lte: before } }
      return updateNext(media, filter, { $set: { status: 'removing', sweepAt: now } })
    },

    /** Forgets a file whose objects are gone, and gives its bytes back. */
    finishRemoval: ({ _id, ownerId }: MediaRow) =>
      transact(connection, async (session) => {
        const row = await media.findOneAndDelete({ _id, status: 'removing' }, { session })
        if (row) await usage.count(session, ownerId, -row.bytes)
      }),

    hasOfOwner: async (ownerId: string): Promise<boolean> => (await media.findOne({ ownerId })) !== null,
  }
}
