import { messageRead } from '@sumlock/contracts/messaging-events'
import type { Context } from '../context.ts'
import { conversationNotFound } from '../domain/errors.ts'

/** Moves the reader's watermark forward, never back and never beyond the last message. */
export async function markRead(
  ctx: Context,
  input: { userId: string; conversationId: string; seq: number },
): Promise<{ lastReadSeq: number }> {
  const { conversationId, userId: readerId } = input
  const conversation = await ctx.conversations.byId(conversationId)
  const before = conversation?.members[readerId]?.lastReadSeq
  if (!conversation || before === undefined) throw conversationNotFound()
  if (input.seq <= before) return { lastReadSeq: before }
  // The other member learns only after the conversation is accepted that it was seen.
  if (conversation.members[readerId]?.isRequest) return { lastReadSeq: before }

  const seq = Math.min(input.seq, await ctx.messages.lastSeq(conversationId))
  const moved = await ctx.connection.transaction(async (session) => {
    if (!(await ctx.conversations.moveRead(conversationId, readerId, seq, session))) return false
    const { memberIds } = conversation
    await ctx.outbox.add(session, messageRead, { conversationId, readerId, memberIds, seq })
    return true
  })
  if (moved) {
    ctx.outbox.kick()
    return { lastReadSeq: seq }
  }
  // Another screen of the same person was faster.
  const present = await ctx.conversations.byId(conversationId)
  return { lastReadSeq: present?.members[readerId]?.lastReadSeq ?? before }
}
