import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Context } from '../context.ts'
import { mediaNotFound } from '../domain/errors.ts'
import { isSigned } from '../domain/multipart.ts'
import { lengthOf, sendBody } from '../infrastructure/upload-body.ts'
import { storageLimitOf } from './request-upload.ts'

export interface ReceivePartInput {
  key: string
  partNumber: string
  until: string
  signature: string
  userId: string
  sessionId: string
  body: IncomingMessage
}

/**
 * Streams one part into the store. The bytes of the part are counted before the first one is sent. Resolves with the part's
 * ETag.
 */
export async function receivePart(ctx: Context, input: ReceivePartInput): Promise<string> {
  const { key, partNumber, until, signature, userId, sessionId, body } = input
  const bytes = lengthOf(body)
  const now = ctx.clock.now()
  const row = await ctx.multiparts.findOpenByKey(key, userId, now)
  const address = { sessionId, number: partNumber, until }
  if (!row || Number(until) <= now.getTime() || !isSigned(row.multipart.secret, address, signature))
    throw mediaNotFound()
  const number = Number(partNumber)
  const call = { id: randomUUID(), number, bytes, startedAt: now }
  await ctx.multiparts.begin(key, call, await storageLimitOf(ctx, userId))
  const end = (isStored: boolean | null) => ctx.multiparts.end(key, call, isStored, ctx.clock.now())
  let eTag: string
  try {
    const { multipartBucket } = ctx
    eTag = await sendBody(body, (signal) =>
      multipartBucket.writePart(row.multipart, number, body, bytes, signal),
    )
  } catch (error) {
    // When all bytes were sent, the store may have the part although it did not answer.
    await end(body.complete ? null : false)
    throw error
  }
  if (!(await end(true))) throw mediaNotFound()
  return eTag
}
