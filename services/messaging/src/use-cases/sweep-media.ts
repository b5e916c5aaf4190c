import type { Context } from '../context.ts'
import { objectPathOf, uploadsEndAt } from '../domain/media.ts'
import type { MediaRow } from '../domain/media.ts'
import { callsEndAt } from '../domain/multipart.ts'

const sweptAtOnce = 100

/** Removes files that were never sent, or whose message is gone: the objects first, then the row. Safe to repeat. */
export async function sweepMedia(ctx: Context, now: Date): Promise<void> {
  for (const row of await ctx.media.due(now, sweptAtOnce)) {
    if (await isSent(ctx, row)) {
      await keep(ctx, row)
      continue
    }
    const removing = row.status === 'removing' ? row : await ctx.media.beginRemoval(row)
    if (removing) await remove(ctx, removing, now)
  }
}

async function isSent({ messages }: Context, { _id, status, bound }: MediaRow): Promise<boolean> {
  if (status !== 'bound' || !bound) return false
  const message = await messages.byClientMessageId(
    bound.conversationId,
    bound.senderId,
    bound.clientMessageId,
  )
  return message?.mediaUrl === objectPathOf(_id)
}

/** The uploads of the row ended long ago, but a killed process may have left an object. */
async function keep(ctx: Context, row: MediaRow): Promise<void> {
  if (row.attempts.length > 0) await ctx.mediaBucket.remove(row.attempts)
  await ctx.media.endAttempts(row._id, row.attempts)
  await ctx.media.keep(row)
}

async function remove(ctx: Context, row: MediaRow, now: Date): Promise<void> {
  const { mediaBucket, multipartBucket } = ctx
  if (row.multipart) {
    const endAt = callsEndAt(row.multipart)
    // A store may keep a part that arrives after its upload was given up.
    if (now < endAt) return ctx.media.postpone(row, endAt)
    await multipartBucket.abortAll(row.multipart.storeKey)
    await mediaBucket.remove([row.multipart.storeKey])
    return ctx.media.finishRemoval(row)
  }
  await mediaBucket.remove([...(row.storeKey ? [row.storeKey] : []), ...row.attempts])
  const endAt = uploadsEndAt(row)
  // An upload that is still running may complete its object after this removal.
  if (row.attempts.length > 0 && now < endAt) await ctx.media.postpone(row, endAt)
  else await ctx.media.finishRemoval(row)
}
