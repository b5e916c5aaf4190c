import type { Context } from '../context.ts'
import { pairOf } from '../domain/member.ts'
import { memberOf, rememberedMember } from './member-of.ts'

/** Moves the reader's watermark forward, never back and never beyond the last message. */
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
  if (await ctx.memberState.moveRead(own, seq)) {
    const event = { type: 'message_read', data: { conversationId, readerId, seq } } as const
    void ctx.memberHints.tell(pairOf(own), event)
    return { lastReadSeq: seq }
  }
  return { lastReadSeq: (await memberOf(ctx, readerId, conversationId)).readSeq }
}
