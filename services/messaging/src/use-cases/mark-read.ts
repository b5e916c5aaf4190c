import { messageRead } from '@sumlock/contracts/messaging-events'
import type { Context } from '../context.ts'
import { membersOf } from './members-of.ts'

/** Moves the reader's watermark forward, never back and never beyond what exists. */
export async function markRead(
  ctx: Context,
  input: { userId: string; conversationId: string; seq: number },
): Promise<{ lastReadSeq: number }> {
  const memberIds = await membersOf(ctx, input.conversationId, input.userId)
  const seq = Math.min(input.seq, await ctx.messages.lastSeq(input.conversationId))
  const { conversationId, userId: readerId } = input
  await ctx.connection.transaction(async (session) => {
    if (!(await ctx.conversations.moveRead(conversationId, readerId, seq, session))) return
    await ctx.outbox.add(session, messageRead, { conversationId, readerId, memberIds: [...memberIds], seq })
  })
  ctx.outbox.kick()
  const conversation = await ctx.conversations.byId(conversationId)
  return { lastReadSeq: conversation?.members[readerId]?.lastReadSeq ?? seq }
}
