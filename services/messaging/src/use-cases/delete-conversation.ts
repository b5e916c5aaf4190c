import { conversationDeleted } from '@sumlock/contracts/messaging-events'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { conversationNotFound } from '../domain/errors.ts'
import { noteEmptying } from './empty-for-both.ts'

/** Deletes a conversation for one member. The other member keeps it and does not learn of it. */
export async function deleteConversation(
  ctx: Context,
  input: { userId: string; conversationId: string },
): Promise<void> {
  const { userId, conversationId } = input
  const seq = await ctx.messages.lastSeq(conversationId)
  await transact(ctx.connection, async (session) => {
    if (!(await ctx.conversations.deleteFor(conversationId, userId, seq, session)))
      throw conversationNotFound()
    await ctx.outbox.add(session, conversationDeleted, { conversationId, userId })
  })
  ctx.outbox.kick()
  await noteEmptying(ctx, await ctx.conversations.byIds([conversationId]))
}
