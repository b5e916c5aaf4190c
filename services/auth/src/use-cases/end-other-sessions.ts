import type { Context } from '../context.ts'
import { noSession } from '@sumlock/service-kit/app-error'
import { checkPassword } from './check-password.ts'
import { revokeSession } from './revoke-session.ts'

/** Revokes all other sessions of the account. */
export async function endOtherSessions(
  ctx: Context,
  input: { userId: string; sessionId: string; password: string },
): Promise<void> {
  const { userId, sessionId, password } = input
  const user = await ctx.users.byId(userId)
  if (!user) throw noSession()
  await checkPassword(ctx, { username: user.username, user, password, knownSessionId: sessionId })
  const others = await ctx.sessions.othersOf(userId, sessionId, ctx.clock.now())
  for (const { _id } of others) await revokeSession(ctx, { sessionId: _id, userId })
}
