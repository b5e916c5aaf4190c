import { randomUUID } from 'node:crypto'
import { userPurgeRequested } from '@sumlock/contracts/auth-events'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { finishRevoking } from './revoke-session.ts'

const dayMs = 86_400_000
const readAtOnce = 100
/** A restore sets `purgeAt` to the beginning of 1970 (0 ms), so the first read must begin before that. */
const beforeAll = new Date(-1)

/**
 * Removes the accounts whose deletion is due, and requests their erasure from the other services daily until each has
 * acknowledged it. Phone codes and counters of tries expire within a day. Kafka keeps requests for 7 days and dead letters
 * for 14, so nothing is left 30 days after the request for the deletion.
 */
export async function purgeDue(ctx: Context, stopping?: AbortSignal): Promise<void> {
  const now = ctx.clock.now()
  const forEach = (dueAfter: (after: Date) => Promise<Due[]>, work: (userId: string) => Promise<void>) =>
    forEachDue(ctx, dueAfter, work, stopping)
  await forEach(
    (after) => ctx.users.dueForPurge(after, now, readAtOnce),
    (userId) => purge(ctx, userId, now),
  )
  const before = new Date(now.getTime() - dayMs)
  await forEach(
    (after) => ctx.purgedIds.toPublish(after, before, readAtOnce),
    async (userId) => {
      await removeRows(ctx, userId, stopping)
      if (!stopping?.aborted) await publishAgain(ctx, userId, before, now)
    },
  )
  ctx.outbox.kick()
}

interface Due {
  userId: string
  dueAt: Date
}

/** Works through all due accounts. An account whose work fails is left for the next run and does not hold up the others. */
async function forEachDue(
  { logger }: Pick<Context, 'logger'>,
  dueAfter: (after: Date) => Promise<Due[]>,
  work: (userId: string) => Promise<void>,
  stopping: AbortSignal | undefined,
): Promise<void> {
  for (let after = beforeAll; ;) {
    const due = await dueAfter(after)
    for (const { userId, dueAt } of due) {
      if (stopping?.aborted) return
      await work(userId).catch((error: unknown) =>
        logger.warn({ err: error, userId }, 'a purge failed and will run again'),
      )
      after = dueAt
    }
    if (due.length < readAtOnce) return
  }
}

async function purge(ctx: Context, userId: string, now: Date): Promise<void> {
  const endedIds = await transact(ctx.connection, async (transaction) => {
    const user = await ctx.users.removeDue(userId, now, transaction)
    if (!user) return null
    await ctx.purgedIds.insert(userId, now, transaction)
    await ctx.retiredCodes.insert(user.userCode, transaction)
    await ctx.mailLinks.removeOf(userId, transaction)
    await ctx.mailRequests.removeOf(userId, transaction)
    await ctx.knownKeys.removeOf(userId, transaction)
    await ctx.unlockBudgets.remove(userId, transaction)
    await ctx.outbox.add(transaction, userPurgeRequested, { userId })
    return ctx.sessions.revokeAll(userId, now, transaction)
  })
  if (endedIds) await finishRevoking(ctx, userId, endedIds)
}

/**
 * Removes rows that may be too many for one transaction. A day after the purge, every process has ended the sessions, so
 * their rows can be removed.
 */
async function removeRows(ctx: Context, userId: string, stopping?: AbortSignal): Promise<void> {
  await ctx.adminActions.replaceAll(userId, randomUUID(), stopping)
  await ctx.sessions.removeOf(userId, stopping)
}

async function publishAgain(ctx: Context, userId: string, before: Date, now: Date): Promise<void> {
  await transact(ctx.connection, async (transaction) => {
    if (await ctx.purgedIds.markPublished(userId, before, now, transaction))
      await ctx.outbox.add(transaction, userPurgeRequested, { userId })
  })
}
