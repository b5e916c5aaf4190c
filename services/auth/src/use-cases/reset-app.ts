import { limits } from '@sumlock/contracts/limits'
import { noSession } from '@sumlock/service-kit/app-error'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { knowsNumber } from '../domain/user.ts'
import type { User } from '../domain/user.ts'
import { carryOutReset } from './carry-out-reset.ts'
import { checkPassword } from './check-password.ts'
import { requestResetNotice } from './request-notice.ts'

const hourMs = 3_600_000

/**
 * Removes a forgotten PIN with everything that it protects. This happens at once in a session in which the right PIN was
 * given. Otherwise it waits a day, because a guessed account password must not be enough to empty the app. Resolves with the
 * time of a waiting reset.
 */
export async function resetApp(
  ctx: Context,
  input: { userId: string; sessionId: string; password: string },
): Promise<{ dueAt: Date | null }> {
  const { userId, sessionId, password } = input
  const user = await ctx.users.byId(userId)
  if (!user) throw noSession()
  await checkPassword(ctx, { username: user.username, user, password, knownSessionId: sessionId })
  const session = await ctx.sessions.byId(sessionId, ctx.clock.now())
  if (!session) throw noSession()
  if (user.pinMac !== null && !knowsNumber(session)) return { dueAt: await askForReset(ctx, user, sessionId) }
  await carryOutReset(ctx, user, { keptSessionId: sessionId })
  return { dueAt: null }
}

/** Requests a reset. If one waits already, its time stays the same. */
async function askForReset(ctx: Context, user: User, sessionId: string): Promise<Date> {
  const dueAt = new Date(ctx.clock.nowMs() + limits.resetWaitHours * hourMs)
  await transact(ctx.connection, async (transaction) => {
    if (await ctx.pendingResets.add(user._id, { dueAt, sessionId }, transaction))
      await requestResetNotice(ctx, transaction, user, dueAt)
  })
  ctx.outbox.kick()
  return (await ctx.users.byId(user._id))?.pendingReset?.dueAt ?? dueAt
}
