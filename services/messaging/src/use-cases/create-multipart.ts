import { randomBytes } from 'node:crypto'
import { limits } from '@sumlock/contracts/limits'
import { unavailable } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { newMediaKey, newStoreKey } from '../domain/media.ts'
import { reserveUpload } from './request-upload.ts'

/**
 * Begins an upload in parts. The row is written before the upload exists in the store, so that the sweep finds the upload
 * after a crash.
 */
export async function createMultipart(
  ctx: Context,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<{ key: string; uploadId: string }> {
  const [key, uploadId] = [newMediaKey(), newMediaKey()]
  const storeKey = newStoreKey(key)
  const multipart = {
    ...{ uploadId, storeKey, parts: {}, running: [] },
    secret: randomBytes(32).toString('base64url'),
  }
  const row = { _id: key, ownerId: userId, sessionId, bytes: 0, maxBytes: limits.objectMaxBytes, multipart }
  await reserveUpload(ctx, row)
  try {
    const { multipartBucket } = ctx
    await ctx.multiparts.noteStoreUpload(key, await multipartBucket.create(storeKey))
  } catch (error) {
    await ctx.multiparts.abort({ key, uploadId, ownerId: userId }, ctx.clock.now())
    throw unavailable('the media store', error)
  }
  return { key, uploadId }
}
