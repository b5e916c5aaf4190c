import type { Context } from '../context.ts'
import { pairOf } from '../domain/member.ts'
import { memberOf, rememberedMember } from './member-of.ts'

/**
 * Moves the reader's watermark forward, never back and never beyond the last message. The other member is shown it only
 * while both show what they have read. The time of messages that vanish starts before the watermark moves, so that no
 * message counts as read without it.
 */
export async function markRead(
  ctx: Context,
  input: { userId: string; conversationId: string; seq: number },
): Promise<{ lastReadSeq: number }> {
  const { conversationId, userId: readerId } = input
  const own = await rememberedMember(ctx, readerId, conversationId)
  // The mark does not move in a request, because the sender may see only after its acceptance what was read.
  if (own.isRequest) {
    const { isRequest, readSeq } = await memberOf(ctx, readerId, conversationId)
    if (isRequest) return { lastReadSeq: readSeq }
  }
  const knownSeq = ctx.lastPositions.get(conversationId)?.seq ?? 0
  const lastSeq = input.seq <= knownSeq ? knownSeq : await ctx.messages.lastSeq(conversationId)
  const seq = Math.min(input.seq, lastSeq)
  // A remembered preference would show what is read in the second after it was turned off.
  const [statuses] = await Promise.all([
    ctx.entitlementStore.statusesOf(pairOf(own)),
    // guard: reading-starts-time
    ctx.messages.startTimes({ readerId, conversationIds: [conversationId], upTo: seq }, ctx.clock.now()),
  ])
  const isWithheld = [...statuses.values()].some(({ showsRead }) => showsRead === false)
  const { isOwnMoved, isCopyMoved } = await ctx.memberState.moveRead(own, { seq, isWithheld })
  const told = [...(isOwnMoved ? [readerId] : []), ...(isCopyMoved ? [own.otherId] : [])]
  if (told.length > 0) {
    const event = { type: 'message_read', data: { conversationId, readerId, seq } } as const
    void ctx.memberHints.tell(told, event)
  }
  return { lastReadSeq: isOwnMoved ? seq : (await memberOf(ctx, readerId, conversationId)).readSeq }
}
