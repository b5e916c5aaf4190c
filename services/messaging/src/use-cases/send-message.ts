import { randomUUID } from 'node:crypto'
import { AppError } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { isEmpty } from '../domain/act.ts'
import { mediaNotFound, keysChanged, personGone, tooManySends } from '../domain/errors.ts'
import { keyInUrl, objectPathOf } from '../domain/media.ts'
import { pairOf } from '../domain/member.ts'
import type { Send, SendMessageInput, SentMessage } from '../domain/send.ts'
import { slotOf } from '../domain/slot.ts'
import type { MediaStore } from '../stores/media-store.ts'
import { hasFormerKey } from './has-former-key.ts'
import type { KeysContext } from './has-former-key.ts'
import { rememberedMember } from './member-of.ts'
import { answerIfStored, isCovered, requireUnseenPayment, storeMessage } from './store-message.ts'
import type { StoreContext } from './store-message.ts'

export interface SendContext
  extends StoreContext, KeysContext, Pick<Context, 'members' | 'entitlements' | 'timeouts' | 'sending'> {
  media: Pick<MediaStore, 'bind' | 'removeOfMessage'>
}

const maxQueuedSends = 2000

/**
 * Stores a message exactly once. When a stage refuses a message that was already stored, the caller still gets the answer
 * to the stored message.
 */
export async function sendMessage(ctx: SendContext, input: SendMessageInput): Promise<SentMessage> {
  const send = await accept(ctx, input)
  const sent = await inTurn(ctx, send, async () => {
    try {
      send.statuses = await ctx.entitlements.statusesOf(send.memberIds)
      refuseLeaving(send)
      refuseFormerKeys(ctx, send)
      await refuseSpent(ctx, send)
      await bindMedia(ctx, send)
      return await storeMessage(ctx, send)
    } catch (error) {
      if (!(error instanceof AppError) || error.kind === 'unavailable') throw error
      const answer = await answerIfStored(ctx, send)
      if (!answer) throw error
      return answer
    }
  })
  // The message was emptied while its original was still on the way, with media that were bound since.
  // A sender must not learn from their storage that a message was opened or read; its later media are left to the sweep.
  const { isOnce, isVanished } = sent.record
  if (isEmpty(sent.record) && !isOnce && !isVanished && send.mediaKey !== undefined)
    await ctx.media.removeOfMessage(send, send.mediaKey)
  return sent
}

/** Throws 404 for a caller who is no member, and for media outside of our store. */
async function accept(ctx: SendContext, input: SendMessageInput): Promise<Send> {
  const own = await rememberedMember(ctx, input.senderId, input.conversationId)
  const mediaKey = input.mediaUrl === undefined ? undefined : keyInUrl(input.mediaUrl)
  if (input.mediaUrl !== undefined && mediaKey === undefined) throw mediaNotFound()
  return {
    ...input,
    clientMessageId: input.clientMessageId ?? randomUUID(),
    otherId: own.otherId,
    memberIds: pairOf(own),
    mediaKey,
    mediaUrl: mediaKey && objectPathOf(mediaKey),
    arrivedMs: performance.now(),
    statuses: [],
  }
}

/** Runs the sends of one conversation one after the other in this process. */
function inTurn(
  { sending, timeouts }: SendContext,
  { conversationId, arrivedMs }: Send,
  stages: () => Promise<SentMessage>,
): Promise<SentMessage> {
  if (sending.waiting >= maxQueuedSends) throw tooManySends()
  return sending.run(conversationId, () => {
    // The gateway has timed out; storing the message now would only delay the sends queued behind it.
    if (performance.now() - arrivedMs > timeouts.sendQueueMs) throw tooManySends()
    return stages()
  })
}

function refuseLeaving({ statuses }: Send): void {
  if (statuses.some(({ isGone }) => isGone)) throw personGone()
}

function refuseFormerKeys(ctx: SendContext, send: Send): void {
  if (send.sealed && hasFormerKey(ctx, send, send.sealed, send.statuses)) throw keysChanged()
}

/** Refuses the send before its media is bound if the slot of the day is spent. */
async function refuseSpent(ctx: SendContext, send: Send): Promise<void> {
  const now = ctx.clock.now()
  if (!isCovered(send, now) && ctx.takenSlots.has(slotOf(send.senderId, now)))
    await requireUnseenPayment(ctx, send)
}

async function bindMedia(ctx: SendContext, send: Send): Promise<void> {
  if (send.mediaKey !== undefined && !(await ctx.media.bind(send.mediaKey, send, ctx.clock.now())))
    throw mediaNotFound()
}
