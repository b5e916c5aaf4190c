import { unavailable } from '@sumlock/service-kit/app-error'
import { rowsAtOnce } from '@sumlock/service-kit/write-in-batches'
import type { Context } from '../context.ts'

/** The most that auth's clock may be behind ours. */
const clockDifferenceMs = 2000
const answerWithinMs = 700

export interface Reset {
  userId: string
  resetAt: Date
}

/**
 * Deletes all conversations of a person for that person alone, and the person's uploads for both members; messages since the
 * reset stay. Throws `unavailable` when that takes longer: a job continues, and the caller has to repeat the call.
 */
export async function clearConversations(
  ctx: Context,
  reset: Reset,
  { withinMs = answerWithinMs } = {},
): Promise<void> {
  await ctx.jobs.request('clear', reset.userId, { resetAt: reset.resetAt })
  const startedAt = performance.now()
  while (await clearPart(ctx, reset))
    if (performance.now() - startedAt > withinMs)
      throw unavailable(
        'conversations',
        new Error('the reset has more conversations to clear than one call allows'),
      )
}

/** Clears 500 conversations and removes 500 files; false when none is left. */
export async function clearPart(ctx: Context, { userId, resetAt }: Reset): Promise<boolean> {
  const until = new Date(resetAt.getTime() + clockDifferenceMs)
  const [hasMedia, ids] = await Promise.all([
    ctx.media.removeOfOwner(userId, resetAt, ctx.clock.now()),
    ctx.memberClearing.idsToClear(userId, resetAt, until, rowsAtOnce),
  ])
  await ctx.memberClearing.clearForReset(userId, resetAt, await ctx.messages.lastSeqsAt(ids, until))
  return hasMedia || ids.length === rowsAtOnce
}
