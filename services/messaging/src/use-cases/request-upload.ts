import { limits } from '@sumlock/contracts/limits'
import { AppError } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { dailyLimitReached, personGone } from '../domain/errors.ts'
import { isPremiumAt } from '../domain/entitlement.ts'
import { pairOf } from '../domain/member.ts'
import { newMediaKey } from '../domain/media.ts'
import type { MediaRow } from '../domain/media.ts'
import { coverageAccordingToBilling } from './coverage-according-to-billing.ts'
import { memberOf } from './member-of.ts'
import { viewConversations } from './view-conversations.ts'

export interface RequestUploadInput {
  userId: string
  sessionId: string
  /** Without a size, the size of the largest allowed file is reserved. */
  size?: number | undefined
  conversationId?: string | undefined
}

/** Reserves storage for one file. Resolves with the key in the file's address. */
export async function requestUpload(ctx: Context, input: RequestUploadInput): Promise<string> {
  const { userId, sessionId, size = limits.objectMaxBytes, conversationId } = input
  if (conversationId !== undefined) await requireRightToSend(ctx, userId, conversationId)
  const _id = newMediaKey()
  const row = { _id, ownerId: userId, sessionId, bytes: size, maxBytes: size }
  await reserveUpload(ctx, row)
  return _id
}

/** Runs one reservation of a person at a time, because concurrent reservations would only conflict. */
export async function reserveUpload(
  ctx: Context,
  row: Pick<MediaRow, '_id' | 'ownerId' | 'sessionId' | 'bytes' | 'maxBytes' | 'multipart'>,
): Promise<void> {
  const { media, clock, metrics, reservingUploads } = ctx
  try {
    await reservingUploads.run(row.ownerId, async () =>
      media.reserve(row, await storageLimitOf(ctx, row.ownerId), clock.now()),
    )
  } catch (error) {
    if (error instanceof AppError) metrics.uploadRefusals.inc({ code: error.code })
    throw error
  }
}

/** Returns how many bytes of media a person can store. */
export async function storageLimitOf(
  { entitlements, clock, config }: Context,
  userId: string,
): Promise<number> {
  const [status] = await entitlements.statusesOf([userId])
  return isPremiumAt(status, clock.now()) ? config.STORAGE_PREMIUM_BYTES : config.STORAGE_FREE_BYTES
}

/** Throws the error that a send would get, before a phone prepares and uploads a file in vain. */
async function requireRightToSend(ctx: Context, userId: string, conversationId: string): Promise<void> {
  const own = await memberOf(ctx, userId, conversationId)
  const [view] = await viewConversations(ctx, userId, [own])
  if (view?.otherUser.isGone) throw personGone()
  if (view?.canSend || (await coverageAccordingToBilling(ctx, pairOf(own), performance.now()))) return
  throw dailyLimitReached(ctx.clock.now())
}
