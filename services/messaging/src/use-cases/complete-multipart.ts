import { randomUUID } from 'node:crypto'
import { toAppError, unavailable } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { fileTooLarge, mediaNotFound, partsInvalid } from '../domain/errors.ts'
import { completion, faultInParts } from '../domain/multipart.ts'
import type { StoredPart } from '../domain/multipart.ts'
import type { OpenMultipart, UploadName } from '../stores/multipart-store.ts'

export interface CompleteMultipartInput extends UploadName {
  parts: readonly Pick<StoredPart, 'PartNumber' | 'ETag'>[]
}

/**
 * Makes the store join the parts into one object. The call may be repeated, even after a crash between the completion in
 * the store and the write of the row.
 */
export async function completeMultipart(
  ctx: Context,
  { parts, ...name }: CompleteMultipartInput,
): Promise<void> {
  const row = await ctx.multiparts.find(name)
  // The owner of a file that is still counted must not notice that it is gone.
  if (row?.status === 'stored' || row?.status === 'bound' || row?.countedUntil) return
  const open = await ctx.multiparts.findOpen(name, ctx.clock.now())
  if (!open) throw mediaNotFound()
  const call = { id: randomUUID(), ...completion, startedAt: ctx.clock.now() }
  await ctx.multiparts.begin(open._id, call, Infinity)
  try {
    const bytes = await putTogether(ctx, open, parts)
    if (!(await ctx.multiparts.complete(open, bytes, ctx.clock.now()))) throw mediaNotFound()
  } catch (error) {
    await ctx.multiparts.end(open._id, call, true, ctx.clock.now())
    throw error
  }
}

async function putTogether(
  ctx: Context,
  { maxBytes, multipart: { storeKey, storeUploadId } }: OpenMultipart,
  named: CompleteMultipartInput['parts'],
): Promise<number> {
  try {
    const { multipartBucket: bucket } = ctx
    const stored = await bucket.listParts(storeKey, storeUploadId)
    // After a completion, some stores list no parts and others no longer have the upload. The list is empty in both cases.
    if (stored.length > 0) {
      const fault = faultInParts(stored, named)
      if (fault) throw partsInvalid(fault)
      if (stored.reduce((sum, { Size }) => sum + Size, 0) > maxBytes) throw fileTooLarge()
      await bucket.complete(storeKey, storeUploadId, named)
    }
    const bytes = await bucket.sizeOf(storeKey)
    if (bytes === null) throw partsInvalid('No part of this file has arrived. Please send the parts again.')
    return bytes
  } catch (error) {
    const { kind } = toAppError(error)
    throw kind === 'internal' ? unavailable('the media store', error) : error
  }
}
