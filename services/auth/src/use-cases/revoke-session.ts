import type { Context } from '../context.ts'

/** Ends a session permanently on every gateway and socket. */
export async function revokeSession(
  ctx: Context,
  input: { sessionId: string; userId: string },
): Promise<void> {
  const isChanged = await ctx.sessions.revoke(input.sessionId, ctx.clock.now())
  if (isChanged) ctx.publishInvalidation({ sid: input.sessionId, userId: input.userId, reason: 'revoked' })
}

/** After a transaction that revoked sessions: every process learns of them within a second. */
export async function announceRevoked(ctx: Context, userId: string, ids: readonly string[]): Promise<void> {
  await ctx.sessions.stamp(ids)
  for (const sid of ids) ctx.publishInvalidation({ sid, userId, reason: 'revoked' })
}
