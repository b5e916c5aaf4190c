import { userUpdated } from '@sumlock/contracts/auth-events'
import { limits } from '@sumlock/contracts/limits'
import { noSession } from '@sumlock/service-kit/app-error'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { wrongCredentials } from '../domain/errors.ts'
import type { User } from '../domain/user.ts'
import { checkPassword } from './check-password.ts'
import { withNumber } from './end-sessions.ts'
import { lock } from './lock.ts'
import { requestChangeNotice } from './request-notice.ts'
import { finishRevoking } from './revoke-session.ts'

const dayMs = 86_400_000

/**
 * Schedules the deletion, ends all sessions, and notifies the other services and the owner, in one transaction. The PIN is
 * not required, because its owner may have forgotten it. Therefore, a session in which the PIN was never right only locks
 * the sessions in which it was, so that their owner can keep the account and cancel a reset.
 */
export async function deleteAccount(
  ctx: Context,
  input: { userId: string; sessionId: string; password: string },
): Promise<void> {
  const { userId, sessionId, password } = input
  const user = await ctx.users.byId(userId)
  if (!user) throw noSession()
  await checkPassword(ctx, { username: user.username, user, password, knownSessionId: sessionId })
  if (user.purgeAt) return
  const now = ctx.clock.now()
  const purgeAt = new Date(now.getTime() + limits.deletionDelayDays * dayMs)
  const { endedIds, keptIds } = await transact(ctx.connection, async (transaction) => {
    const leaving = await ctx.users.scheduleDeletion(user, purgeAt, transaction)
    if (!leaving) throw wrongCredentials()
    await ctx.outbox.add(transaction, userUpdated, { userId })
    await requestChangeNotice(ctx, transaction, user, 'account-deletion')
    const kept = await keptBy(ctx, user, sessionId)
    return { endedIds: await ctx.sessions.revokeAll(userId, now, transaction, kept), keptIds: kept }
  })
  ctx.outbox.kick()
  await finishRevoking(ctx, userId, endedIds, keptIds)
  for (const _id of keptIds) await lock(ctx, { sessionId: _id, userId })
}

/** Returns the sessions that are not ended when the deletion is requested in this session. */
async function keptBy(ctx: Context, user: User, sessionId: string): Promise<string[]> {
  const sessions = await ctx.sessions.othersOf(user._id, null, ctx.clock.now())
  const ids = withNumber(user, sessions).map(({ _id }) => _id)
  return ids.includes(sessionId) ? [] : ids
}

/** Cancels a scheduled deletion; does nothing when there is none. */
export async function keepAccount(ctx: Context, { userId }: { userId: string }): Promise<void> {
  await transact(ctx.connection, async (transaction) => {
    const kept = await ctx.users.cancelDeletion(userId, transaction)
    if (kept) await ctx.outbox.add(transaction, userUpdated, { userId })
  })
  ctx.outbox.kick()
}
