import { AppError, noSession } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { checkPassword } from './check-password.ts'
import { endSessions } from './end-sessions.ts'

/** Revokes one session of the account. Throws `number_not_given` if the PIN was right in it, but never in the caller's. */
export async function endSession(
  ctx: Context,
  input: { userId: string; sessionId: string; password: string; endedId: string },
): Promise<void> {
  const { userId, sessionId, password, endedId } = input
  const user = await ctx.users.byId(userId)
  if (!user) throw noSession()
  await checkPassword(ctx, { username: user.username, user, password, knownSessionId: sessionId })
  const ended = await ctx.sessions.byId(endedId, ctx.clock.now())
  if (ended?.userId !== userId)
    throw new AppError('not-found', 'not_found', 'That device is signed out already.')
  await endSessions(ctx, user, { bySessionId: sessionId, ended: [ended] })
}
