import type { Context } from '../context.ts'

/** Empties the messages that both members have deleted. Repeating it is harmless. */
export async function emptyForBoth(ctx: Context, conversationId: string): Promise<void> {
  const conversation = await ctx.conversations.byId(conversationId)
  if (!conversation) return
  const cleared = Object.values(conversation.members).map((member) => member.clearedBeforeSeq)
  const seq = Math.min(...cleared)
  if (seq === 0) return
  await ctx.messages.empty(conversationId, seq)
  await ctx.conversations.forgetLast(conversation, seq)
}
