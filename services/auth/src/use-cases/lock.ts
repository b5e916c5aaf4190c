import type { Context } from '../context.ts'

/** Locks the session at once and closes its sockets. */
export async function lock(ctx: Context, input: { sessionId: string; userId: string }): Promise<void> {
  const isChanged = await ctx.sessions.lock(input.sessionId)
  if (isChanged) ctx.publishInvalidation({ sid: input.sessionId, userId: input.userId, reason: 'locked' })
}
