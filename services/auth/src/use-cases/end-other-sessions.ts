import type { Context } from '../context.ts'
import { noSession } from '@sumlock/service-kit/app-error'
import { checkPassword } from './check-password.ts'
import { endSessions } from './end-sessions.ts'

/**
 * Revokes all other sessions of the account. Throws `number_not_given` if the PIN was right in one of them, but never in the
 * caller's.
 */
export async function endOtherSessions(
  ctx: Context,
  input: { userId: string; sessionId: string; password: string },
): Promise<void> {
  const { userId, sessionId, password } = input
  const user = await ctx.users.byId(userId)
  if (!user) throw noSession()
  await checkPassword(ctx, { username: user.username, user, password, knownSessionId: sessionId })
  const ended = await ctx.sessions.othersOf(userId, sessionId, ctx.clock.now())
  await endSessions(ctx, user, { bySessionId: sessionId, ended })
}
