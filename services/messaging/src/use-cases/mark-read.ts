import type { Context } from '../context.ts'
import { conversationNotFound } from '../domain/errors.ts'

/** Moves the reader's watermark forward, never back and never beyond the last message. */
export async function markRead(
  ctx: Context,
  input: { userId: string; conversationId: string; seq: number },
): Promise<{ lastReadSeq: number }> {
  const { conversationId, userId: readerId } = input
  const memberIds = await ctx.members.of(conversationId)
  if (!memberIds?.includes(readerId)) throw conversationNotFound()
  const knownSeq = ctx.lastPositions.get(conversationId)?.seq ?? 0
  const lastSeq = input.seq <= knownSeq ? knownSeq : await ctx.messages.lastSeq(conversationId)
  const seq = Math.min(input.seq, lastSeq)
  if (await ctx.conversations.moveRead(conversationId, readerId, seq)) {
    void ctx.memberHints.tell(memberIds, { type: 'message_read', data: { conversationId, readerId, seq } })
    return { lastReadSeq: seq }
  }
  const conversation = await ctx.conversations.byId(conversationId)
  return { lastReadSeq: conversation?.members[readerId]?.lastReadSeq ?? 0 }
}
