import { limits } from '@sumlock/contracts/limits'
import { transact } from '@sumlock/service-kit/transact'
import type { Connection, mongo } from 'mongoose'
import { fileTooLarge, mediaNotFound, partsInvalid } from '../domain/errors.ts'
import type { MediaRow } from '../domain/media.ts'
import { longestUploadMs } from '../domain/media.ts'
import { completion, countedBytes, withoutCall } from '../domain/multipart.ts'
import type { Multipart, RunningCall } from '../domain/multipart.ts'
import type { MediaUsage } from './media-usage.ts'

/** The store may lack the upload of a `MultipartRow`; it has the upload of an `OpenMultipart`. */
export type MultipartRow = MediaRow & { multipart: Multipart }
export type OpenMultipart = MediaRow & { multipart: Required<Multipart> }

export interface UploadName {
  key: string
  uploadId: string
  ownerId: string
}

const unsentMs = limits.unsentMediaHours * 3_600_000

/**
 * Stores the state of uploads in parts. Each call that changes an upload in the store is recorded in its row while the call
 * runs.
 */
export function createMultipartStore(connection: Connection, usage: MediaUsage) {
  const media = connection.collection('media') as unknown as mongo.Collection<MediaRow>
  const filterOf = ({ key, uploadId, ownerId }: UploadName) => ({
    _id: key,
    'multipart.uploadId': uploadId,
    ownerId,
  })
  const open = { status: 'reserved' as const, 'multipart.storeUploadId': { $exists: true } }
  const findOpen = (filter: object, now: Date) =>
    media.findOne({ ...filter, ...open, uploadUntil: { $gt: now } }) as Promise<OpenMultipart | null>

  return {
    find: (name: UploadName) => media.findOne(filterOf(name)) as Promise<MultipartRow | null>,

    findOpen: (name: UploadName, now: Date) => findOpen(filterOf(name), now),

    findOpenByKey: (key: string, ownerId: string, now: Date) => findOpen({ _id: key, ownerId }, now),

    async noteStoreUpload(key: string, storeUploadId: string): Promise<void> {
      await media.updateOne({ _id: key }, { $set: { 'multipart.storeUploadId': storeUploadId } })
    },

    /** Records a call and counts its bytes before they are sent. Throws when the upload does not accept the call. */
    begin: (key: string, call: RunningCall, limitBytes: number) =>
      transact(connection, async (session): Promise<void> => {
        const row = (await media.findOne({ _id: key, ...open }, { session })) as OpenMultipart | null
        if (!row) throw mediaNotFound()
        requireTurn(row, call)
        const running = [...row.multipart.running, call]
        const bytes = countedBytes({ ...row.multipart, running })
        if (bytes > row.maxBytes) throw fileTooLarge()
        await usage.count(session, row.ownerId, bytes - row.bytes, limitBytes)
        await media.updateOne({ _id: key }, { $set: { 'multipart.running': running, bytes } }, { session })
      }),

    /** Records the end of a call. Resolves with false when the upload is no longer open. */
    end: (key: string, call: RunningCall, isStored: boolean | null, now: Date) =>
      transact(connection, async (session): Promise<boolean> => {
        const row = (await media.findOne({ _id: key }, { session })) as MultipartRow | null
        if (!row?.multipart.running) return false
        const multipart = withoutCall(row.multipart, call, isStored)
        const bytes = countedBytes(multipart)
        await usage.count(session, row.ownerId, bytes - row.bytes)
        const isOver = row.status === 'removing' && multipart.running?.length === 0
        const $set = { multipart, bytes, ...(isOver ? { sweepAt: now } : {}) }
        await media.updateOne({ _id: key }, { $set }, { session })
        return row.status === 'reserved'
      }),

    /** Makes the object in the store the file of the row. Resolves with false when the upload is no longer open. */
    complete: (
      { _id, multipart: { uploadId, storeKey } }: MediaRow & { multipart: Multipart },
      bytes: number,
      now: Date,
    ) =>
      transact(connection, async (session): Promise<boolean> => {
        const row = await media.findOne({ _id, ...open }, { session })
        if (!row) return false
        await usage.count(session, row.ownerId, bytes - row.bytes)
        const sweepAt = new Date(now.getTime() + unsentMs)
        const file = {
          status: 'stored' as const,
          storeKey,
          bytes,
          sweepAt,
          multipart: { uploadId, storeKey },
        }
        await media.updateOne({ _id }, { $set: file }, { session })
        return true
      }),

    /** Leaves an upload to the sweep. Resolves with false when there is no such upload. */
    async abort(name: UploadName, now: Date): Promise<boolean> {
      const status = { $in: ['reserved', 'removing'] as MediaRow['status'][] }
      const filter = { ...filterOf(name), status, countedUntil: { $exists: false } }
      const $set = { status: 'removing' as const, sweepAt: now }
      return (await media.updateOne(filter, { $set })).matchedCount > 0
    },
  }
}

/** Throws for a part while the upload is being completed, and for a completion while parts are being sent. */
function requireTurn({ multipart }: OpenMultipart, call: RunningCall): void {
  const isRunning = ({ startedAt }: RunningCall) =>
    startedAt.getTime() > call.startedAt.getTime() - longestUploadMs
  const others = multipart.running.filter(isRunning)
  const isCompletion = ({ number }: RunningCall) => number === completion.number
  if (isCompletion(call)) {
    if (!others.every(isCompletion))
      throw partsInvalid('A part is still being sent. Please complete the upload afterwards.')
  } else if (others.some(isCompletion)) throw mediaNotFound()
}
