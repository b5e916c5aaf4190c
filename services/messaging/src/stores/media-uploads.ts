import { limits } from '@sumlock/contracts/limits'
import { unavailable } from '@sumlock/service-kit/app-error'
import { createSemaphore } from '@sumlock/service-kit/semaphore'
import { transact } from '@sumlock/service-kit/transact'
import type { Connection, mongo } from 'mongoose'
import { tooManyUploads } from '../domain/errors.ts'
import { uploadsEndAt } from '../domain/media.ts'
import type { MediaRow } from '../domain/media.ts'
import type { MediaUsage } from './media-usage.ts'

const multipartMs = limits.multipartHours * 3_600_000
const unsentMs = limits.unsentMediaHours * 3_600_000
/** A file accepts this many failed tries. Our client makes four tries by itself. */
const mostAttempts = 100
/**
 * This limits the database connections of uploads, so that enough are left for texts when many uploads begin or break off
 * at once.
 */
const attemptsAtOnce = 6
const attemptTimeoutMs = 5000
const after = (now: Date, ms: number) => new Date(now.getTime() + ms)
const isUnbound = { $in: ['reserved', 'stored'] as MediaRow['status'][] }

/** Reserves storage for files, and records the attempts to upload them. */
export function createMediaUploads(
  connection: Connection,
  media: mongo.Collection<MediaRow>,
  usage: MediaUsage,
) {
  const attempts = createSemaphore({ permits: attemptsAtOnce })
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const permit = await attempts.acquire({ timeoutMs: attemptTimeoutMs })
    if (!permit) throw unavailable('the rows of media')
    return work().finally(permit.release)
  }

  return {
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

    /** Records the object key of a new attempt. Resolves with null when this session may not upload the file. */
    beginAttempt: (
      { key, ownerId, sessionId }: { key: string; ownerId: string; sessionId: string },
      storeKey: string,
      now: Date,
    ): Promise<MediaRow | null> =>
      inTurn(() =>
        media.findOneAndUpdate(
          {
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

    /**
     * Records the object of an attempt as the file of the row and counts its bytes. Resolves with false when the row
     * accepts no file any more.
     */
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

    /** Removes attempts whose objects are gone. */
    async endAttempts(key: string, storeKeys: readonly string[]): Promise<void> {
      await inTurn(() => media.updateOne({ _id: key }, { $pull: { attempts: { $in: [...storeKeys] } } }))
    },
  }
}
