import { unavailable } from '@sumlock/service-kit/app-error'
import { rowsAtOnce } from '@sumlock/service-kit/write-in-batches'
import type { Context } from '../context.ts'

/** Auth's clock may be behind ours by at most this time. */
const clockDifferenceMs = 2000
const answerWithinMs = 700

export interface Reset {
  userId: string
  resetAt: Date
}

/**
 * Deletes all conversations of a person for that person alone, and the person's uploads for both members. Messages sent
 * after the reset stay. Throws `unavailable` when the work takes longer than `withinMs`: a job continues it, and the caller
 * has to repeat the call.
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
        new Error('the reset takes longer than one call may; its job continues'),
      )
}

/** Clears up to 500 conversations and removes up to 500 files. Resolves with false when nothing is left. */
export async function clearPart(ctx: Context, { userId, resetAt }: Reset): Promise<boolean> {
  const until = new Date(resetAt.getTime() + clockDifferenceMs)
  const [hasMedia, ids] = await Promise.all([
    ctx.media.removeOfOwner(userId, resetAt, ctx.clock.now()),
    ctx.memberClearing.idsToClear(userId, resetAt, until, rowsAtOnce),
  ])
  const seen = { readerId: userId, conversationIds: ids, upTo: until }
  if (ids.length > 0) await ctx.messages.startTimes(seen, ctx.clock.now())
  await ctx.memberClearing.clearForReset(userId, resetAt, await ctx.messages.lastSeqsAt(ids, until))
  return hasMedia || ids.length === rowsAtOnce
}
