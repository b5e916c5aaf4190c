import type { Context } from '../context.ts'

interface OwnSession {
  sessionId: string
  userId: string
}

/** Locks the session at once. Realtime closes its sockets when it gets the published id. */
export async function lock(ctx: Context, input: OwnSession): Promise<void> {
  const isChanged = await ctx.sessions.lock(input.sessionId)
  if (isChanged) ctx.publishInvalidation({ sid: input.sessionId, userId: input.userId, reason: 'locked' })
}

/** Locks all other sessions of the account. An unlock that has begun in one of them fails. */
export async function lockOthers(ctx: Context, { userId, sessionId }: OwnSession): Promise<void> {
  for (const other of await ctx.sessions.othersOf(userId, sessionId, ctx.clock.now()))
    await lock(ctx, { sessionId: other._id, userId })
}
