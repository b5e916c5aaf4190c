import type { Context } from '../context.ts'
import { objectPathOf, unsentUntil, uploadsEndAt } from '../domain/media.ts'
import type { MediaRow } from '../domain/media.ts'
import { callsEndAt } from '../domain/multipart.ts'

const sweptAtOnce = 100
/** After so many failures the sweep ends, because the bucket or the database is probably down. */
const mostFailures = 10

/**
 * Removes files that were never sent, or whose message is gone. The objects are removed before the row, so that the sweep
 * can be repeated. A file that cannot be removed delays no other; the sweep fails at the end because of it.
 */
export async function sweepMedia(ctx: Context, now: Date, stopping?: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  const isOver = () => failures.length >= mostFailures || stopping?.aborted === true
  for (let hasMore = true; hasMore && !isOver();) {
    const due = await ctx.media.due(now, sweptAtOnce)
    for (const row of due) {
      if (isOver()) break
      await sweepRow(ctx, row, now).catch(async (error: unknown) => {
        failures.push(error)
        // The next sweep tries the row again, after those that were due before.
        await ctx.media.postpone(row, new Date(now.getTime() + 1))
      })
    }
    hasMore = due.length === sweptAtOnce
  }
  if (failures.length > 0)
    throw new Error(`${failures.length} files could not be swept`, { cause: failures[0] })
}

async function sweepRow(ctx: Context, row: MediaRow, now: Date): Promise<void> {
  const message = await messageOf(ctx, row)
  if (message?.mediaUrl === objectPathOf(row._id)) return keep(ctx, row, now)
  // The client may still send the message.
  if (row.status === 'bound' && !message && now < unsentUntil(row))
    return ctx.media.postpone(row, unsentUntil(row))
  const removing = row.status === 'removing' ? row : await ctx.media.beginRemoval(row)
  if (removing) await remove(ctx, removing, now)
}

const messageOf = async ({ messages }: Context, { status, bound }: MediaRow) =>
  status === 'bound' && bound
    ? messages.byClientMessageId(bound.conversationId, bound.senderId, bound.clientMessageId)
    : null

/**
 * The file stays, because its message exists. Objects of other uploads are removed once none can be running, because a
 * killed process may have left them.
 */
async function keep(ctx: Context, row: MediaRow, now: Date): Promise<void> {
  if (row.attempts.length > 0) {
    if (now < uploadsEndAt(row)) return ctx.media.postpone(row, uploadsEndAt(row))
    await ctx.mediaBucket.remove(row.attempts)
    await ctx.media.endAttempts(row._id, row.attempts)
  }
  await ctx.media.keep(row)
}

async function remove(ctx: Context, row: MediaRow, now: Date): Promise<void> {
  const { mediaBucket, multipartBucket } = ctx
  if (row.multipart) {
    const endAt = callsEndAt(row.multipart)
    // The upload is aborted after the end of its last call, because a store may keep a part that arrives after the abort.
    if (now < endAt) return ctx.media.postpone(row, endAt)
    await multipartBucket.abortAll(row.multipart.storeKey)
    await mediaBucket.remove([row.multipart.storeKey])
    return finish(ctx, row, now)
  }
  await mediaBucket.remove([...(row.storeKey ? [row.storeKey] : []), ...row.attempts])
  const endAt = uploadsEndAt(row)
  // An upload that is still running may complete its object after this removal.
  if (row.attempts.length > 0 && now < endAt) await ctx.media.postpone(row, endAt)
  else await finish(ctx, row, now)
}

const finish = ({ media }: Context, row: MediaRow, now: Date): Promise<void> =>
  row.countedUntil && now < row.countedUntil
    ? media.postpone(row, row.countedUntil)
    : media.finishRemoval(row)
