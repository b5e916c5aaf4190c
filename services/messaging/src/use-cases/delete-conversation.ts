import { conversationDeleted } from '@sumlock/contracts/messaging-events'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { noteEmptying } from './empty-for-both.ts'
import { memberOf } from './member-of.ts'

/** Deletes a conversation for one member. The other member keeps the conversation and sees no change. */
export async function deleteConversation(
  ctx: Context,
  { userId, conversationId }: { userId: string; conversationId: string },
): Promise<void> {
  const own = await memberOf(ctx, userId, conversationId)
  const seq = await ctx.messages.lastSeq(conversationId)
  // Who deletes messages will not read them any more.
  const seen = { readerId: userId, conversationIds: [conversationId], upTo: seq }
  await ctx.messages.startTimes(seen, ctx.clock.now())
  await transact(ctx.connection, async (session) => {
    await ctx.memberClearing.deleteFor(own, seq, session)
    await ctx.outbox.add(session, conversationDeleted, { conversationId, userId })
  })
  ctx.outbox.kick()
  await noteEmptying(ctx, await ctx.memberList.byKeys([own._id]))
}
