import type { IncomingMessage } from 'node:http'
import type { Context } from '../context.ts'
import { fileTooLarge, mediaNotFound } from '../domain/errors.ts'
import { newStoreKey } from '../domain/media.ts'
import { lengthOf, sendBody } from '../infrastructure/upload-body.ts'
import { storageLimitOf } from './request-upload.ts'

export interface ReceiveUploadInput {
  key: string
  userId: string
  sessionId: string
  body: IncomingMessage
}

/**
 * Streams the body of a request into the bucket. Each try writes an object of its own, so that a failed try leaves an
 * earlier file untouched. The row names the object before the object is written, so that the sweep finds the objects of a
 * killed process.
 */
export async function receiveUpload(ctx: Context, input: ReceiveUploadInput): Promise<void> {
  const { key, userId, sessionId, body } = input
  const length = lengthOf(body)
  const storeKey = newStoreKey(key)
  const row = await ctx.media.beginAttempt({ key, ownerId: userId, sessionId }, storeKey, ctx.clock.now())
  if (!row) throw mediaNotFound()
  try {
    if (length > row.maxBytes) throw fileTooLarge()
    const { mediaBucket } = ctx
    await sendBody(body, (signal) => mediaBucket.write(storeKey, body, length, signal))
    const limit = await storageLimitOf(ctx, userId)
    if (!(await ctx.media.completeAttempt(row, storeKey, length, limit, ctx.clock.now())))
      throw mediaNotFound()
  } catch (error) {
    await discard(ctx, key, [storeKey])
    throw error
  }
  if (row.storeKey) await discard(ctx, key, [row.storeKey])
}

/**
 * Removes objects and then their names in the row. After a failure the row still names the objects, which the sweep
 * removes.
 */
async function discard(ctx: Context, key: string, storeKeys: readonly string[]): Promise<void> {
  try {
    await ctx.mediaBucket.remove(storeKeys)
    await ctx.media.endAttempts(key, storeKeys)
  } catch (error) {
    ctx.logger.warn(
      { err: error, key },
      'an object of an upload could not be removed; the sweep will remove it',
    )
  }
}
