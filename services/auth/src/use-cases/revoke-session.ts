import type { Context } from '../context.ts'

/** Ends a session permanently on every gateway and socket. */
export async function revokeSession(
  ctx: Context,
  input: { sessionId: string; userId: string },
): Promise<void> {
  const isChanged = await ctx.sessions.revoke(input.sessionId, ctx.clock.now())
  if (isChanged) ctx.publishInvalidation({ sid: input.sessionId, userId: input.userId, reason: 'revoked' })
}

/** Ends all sessions of a person, or all but one. Returns their ids. */
export async function revokeSessions(ctx: Context, userId: string, exceptId?: string): Promise<string[]> {
  const alive = await ctx.sessions.aliveOf(userId, ctx.clock.now(), exceptId)
  for (const { _id } of alive) await revokeSession(ctx, { sessionId: _id, userId })
  return alive.map(({ _id }) => _id)
}
