import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { conversationNotFound, dailyLimitReached, personGone } from '../domain/errors.ts'
import { isPremiumAt } from '../domain/entitlement.ts'
import { newMediaKey } from '../domain/media.ts'
import { coverageAccordingToBilling } from './coverage-according-to-billing.ts'
import { viewConversation } from './view-conversations.ts'

export interface RequestUploadInput {
  userId: string
  sessionId: string
  /** As much is reserved as a file can have when absent. */
  size?: number | undefined
  conversationId?: string | undefined
}

/** Reserves storage for one file. Resolves with the key of its address. */
export async function requestUpload(ctx: Context, input: RequestUploadInput): Promise<string> {
  const { userId, sessionId, size = limits.objectMaxBytes, conversationId } = input
  if (conversationId !== undefined) await requireRightToSend(ctx, userId, conversationId)
  const _id = newMediaKey()
  const row = { _id, ownerId: userId, sessionId, bytes: size, maxBytes: size }
  await ctx.media.reserve(row, await storageLimitOf(ctx, userId), ctx.clock.now())
  return _id
}

/** How many bytes of media a person can store. */
export async function storageLimitOf(
  { entitlements, clock, config }: Context,
  userId: string,
): Promise<number> {
  const [standing] = await entitlements.standingsOf([userId])
  return isPremiumAt(standing, clock.now()) ? config.STORAGE_PREMIUM_BYTES : config.STORAGE_FREE_BYTES
}

/** Throws what a send would throw, before a phone prepares and uploads a file in vain. */
async function requireRightToSend(ctx: Context, userId: string, conversationId: string): Promise<void> {
  const memberIds = await ctx.members.of(conversationId)
  if (!memberIds?.includes(userId)) throw conversationNotFound()
  const view = await viewConversation(ctx, userId, conversationId)
  if (view.otherUser.isGone) throw personGone()
  if (view.canSend || (await coverageAccordingToBilling(ctx, memberIds, performance.now()))) return
  throw dailyLimitReached(ctx.clock.now())
}
