import { noSession } from '@sumlock/service-kit/app-error'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { checkPassword } from './check-password.ts'
import { clearAfterReset } from './clear-after-reset.ts'
import { lock } from './lock.ts'
import { requestChangeNotice } from './request-notice.ts'
import { finishRevoking } from './revoke-session.ts'
import { replaceUserCode } from './rotate-user-code.ts'

/**
 * For a forgotten PIN: removes it with all its tries, gives a new user code and ends the other sessions, in one transaction. Then messaging deletes
 * the person's conversations. If it cannot just now, the set-up of the next PIN waits for it, and without a PIN
 * nothing can be read.
 */
export async function resetApp(
  ctx: Context,
  input: { userId: string; sessionId: string; password: string },
): Promise<void> {
  const { userId, sessionId, password } = input
  const user = await ctx.users.byId(userId)
  if (!user) throw noSession()
  await checkPassword(ctx, { username: user.username, user, password, knownSessionId: sessionId })
  const resetAt = ctx.clock.now()
  const endedIds = await transact(ctx.connection, async (transaction) => {
    await ctx.users.resetApp(userId, resetAt, transaction)
    await ctx.knownKeys.removeOf(userId, transaction)
    await replaceUserCode(ctx, transaction, userId)
    await ctx.unlockBudgets.remove(userId, transaction)
    await requestChangeNotice(ctx, transaction, user, 'app-reset')
    // Otherwise discreet mode would hide the set-up that follows.
    await ctx.sessions.notePassword(sessionId, resetAt, transaction)
    return ctx.sessions.revokeAll(userId, resetAt, transaction, sessionId)
  })
  ctx.outbox.kick()
  await lock(ctx, { sessionId, userId })
  await finishRevoking(ctx, userId, endedIds, sessionId)
  await clearAfterReset(ctx, { _id: userId, resetAt }).catch((error: unknown) => {
    ctx.logger.warn({ err: error, userId }, 'conversations of a reset account are not cleared yet')
  })
}
