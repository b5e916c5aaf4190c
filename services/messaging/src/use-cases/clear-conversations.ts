import type { Context } from '../context.ts'
import { emptyForBoth } from './empty-for-both.ts'

const clearedAtOnce = 20

/**
 * Deletes all conversations of a person for that person alone, and what the person uploaded for both. A call that arrives
 * late, after a repeated one, finds nothing left to clear: what was sent since then stays.
 */
export async function clearConversations(
  ctx: Context,
  { userId, resetAt }: { userId: string; resetAt: Date },
): Promise<void> {
  await ctx.media.removeOfOwner(userId, resetAt, ctx.clock.now())
  const ids = await ctx.conversations.idsToClear(userId, resetAt)
  for (let from = 0; from < ids.length; from += clearedAtOnce)
    await Promise.all(
      ids.slice(from, from + clearedAtOnce).map(async (id) => {
        const seq = await ctx.messages.lastSeq(id)
        await ctx.conversations.clearForReset(id, userId, seq, resetAt)
        await emptyForBoth(ctx, id)
      }),
    )
}
