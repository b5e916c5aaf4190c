import type { Context } from '../context.ts'

/** Ends a session permanently, on every gateway and socket. */
export async function revokeSession(
  ctx: Context,
  input: { sessionId: string; userId: string },
  revoke: Context['sessions']['revoke'] = ctx.sessions.revoke,
): Promise<void> {
  const isChanged = await revoke(input.sessionId, ctx.clock.now())
  if (!isChanged) return
  ctx.security.note('session-revoked', input.userId)
  ctx.publishInvalidation({ sid: input.sessionId, userId: input.userId, reason: 'revoked' })
}

/**
 * Call this after a transaction that revoked sessions. It notifies every process, and revokes sessions that a concurrent
 * sign-in has opened since.
 */
export async function finishRevoking(
  ctx: Context,
  userId: string,
  revokedIds: readonly string[],
  exceptIds: readonly string[] = [],
): Promise<void> {
  await ctx.sessions.stamp(revokedIds)
  for (const sid of revokedIds) {
    ctx.security.note('session-revoked', userId)
    ctx.publishInvalidation({ sid, userId, reason: 'revoked' })
  }
  for (const { _id } of await ctx.sessions.othersOf(userId, null, ctx.clock.now()))
    if (!exceptIds.includes(_id)) await revokeSession(ctx, { sessionId: _id, userId })
}
