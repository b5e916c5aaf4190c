import type { Context } from '../context.ts'
import { keyInUrl } from '../domain/media.ts'

const emptiedAtOnce = 100

/** Empties the messages that both members have deleted. Repeating it is harmless. */
export async function emptyForBoth(ctx: Context, conversationId: string): Promise<void> {
  const conversation = await ctx.conversations.byId(conversationId)
  if (!conversation) return
  const cleared = Object.values(conversation.members).map((member) => member.clearedBeforeSeq)
  const seq = Math.min(...cleared)
  if (seq > 0) {
    const mediaUrls = await ctx.messages.mediaUrls(conversationId, seq)
    await ctx.media.removeByKeys(
      mediaUrls.flatMap((url) => keyInUrl(url) ?? []),
      ctx.clock.now(),
    )
    await ctx.messages.empty(conversationId, seq)
    await ctx.conversations.forgetLast(conversation, seq)
  }
  await ctx.conversations.markEmptied(conversationId, conversation.members)
}

/** Finishes what a crash between a deletion and the emptying has left. */
export async function emptyDue(ctx: Context): Promise<void> {
  for (const id of await ctx.conversations.idsToEmpty(emptiedAtOnce)) await emptyForBoth(ctx, id)
}
