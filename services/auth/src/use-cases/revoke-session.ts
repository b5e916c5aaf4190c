import type { Context } from '../context.ts'

/** Ends a session permanently on every gateway and socket. */
export async function revokeSession(
  ctx: Context,
  input: { sessionId: string; userId: string },
): Promise<void> {
  const isChanged = await ctx.sessions.revoke(input.sessionId, ctx.clock.now())
  if (isChanged) ctx.publishInvalidation({ sid: input.sessionId, userId: input.userId, reason: 'revoked' })
}
