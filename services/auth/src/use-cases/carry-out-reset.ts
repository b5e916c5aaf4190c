import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import type { User } from '../domain/user.ts'
import { clearAfterReset } from './clear-after-reset.ts'
import { lock } from './lock.ts'
import { requestChangeNotice } from './request-notice.ts'
import { finishRevoking } from './revoke-session.ts'
import { replaceUserCode } from './rotate-user-code.ts'

const claimedForMs = 60_000

/**
 * Removes the PIN with all its tries, gives a new user code and ends the sessions except `keptSessionId`, in one
 * transaction. If `keptSessionId` is null, it carries out a waiting reset, unless that was cancelled. Messaging then deletes
 * the person's conversations. No PIN can be set before that, and nothing can be read without a PIN.
 */
export async function carryOutReset(
  ctx: Context,
  user: User,
  { keptSessionId }: { keptSessionId: string | null },
): Promise<void> {
  const userId = user._id
  const resetAt = ctx.clock.now()
  const keptIds = keptSessionId === null ? [] : [keptSessionId]
  const endedIds = await transact(ctx.connection, async (transaction) => {
    const isDue = () => ctx.pendingResets.takeDue(userId, resetAt, transaction)
    if (keptSessionId === null && !(await isDue())) return null
    await ctx.users.resetApp(userId, resetAt, transaction)
    await ctx.knownKeys.removeOf(userId, transaction)
    await replaceUserCode(ctx, transaction, userId)
    await ctx.unlockBudgets.remove(userId, transaction)
    await requestChangeNotice(ctx, transaction, user, 'app-reset')
    // The session counts as just signed in, because discreet mode would otherwise hide the set-up of the next PIN.
    if (keptSessionId !== null) await ctx.sessions.notePassword(keptSessionId, resetAt, transaction)
    return ctx.sessions.revokeAll(userId, resetAt, transaction, keptIds)
  })
  if (!endedIds) return
  ctx.outbox.kick()
  if (keptSessionId !== null) await lock(ctx, { sessionId: keptSessionId, userId })
  await finishRevoking(ctx, userId, endedIds, keptIds)
  await clearAfterReset(ctx, { _id: userId, resetAt }).catch((error: unknown) => {
    ctx.logger.warn({ err: error, userId }, 'conversations of a reset account could not be cleared yet')
  })
}

/** Carries out all due resets; each is claimed by one process. A reset that fails is due again after a minute. */
export async function resetDue(ctx: Context, stopping?: AbortSignal): Promise<void> {
  while (!stopping?.aborted) {
    const user = await ctx.pendingResets.claim(ctx.clock.now(), claimedForMs)
    if (!user) return
    await carryOutReset(ctx, user, { keptSessionId: null }).catch((error: unknown) =>
      ctx.logger.warn({ err: error, userId: user._id }, 'a reset failed and will be tried again'),
    )
  }
}
