import type { Context } from '../context.ts'
import { noSession } from '../domain/errors.ts'
import { checkPassword } from './check-password.ts'
import { revokeSession } from './revoke-session.ts'

/** Signs the account out everywhere but here. */
export async function endOtherSessions(
  ctx: Context,
  input: { userId: string; sessionId: string; password: string },
): Promise<void> {
  const user = await ctx.users.byId(input.userId)
  if (!user) throw noSession()
  await checkPassword(ctx, user, input.password)
  const others = await ctx.sessions.othersOf(user._id, input.sessionId, ctx.clock.now())
  for (const { _id } of others) await revokeSession(ctx, { sessionId: _id, userId: user._id })
}
