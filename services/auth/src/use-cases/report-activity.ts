import type { Context } from '../context.ts'
import { notUnlocked } from '../domain/errors.ts'
import { slideUnlock } from '../domain/slide-unlock.ts'

/** Moves the deadline of a running unlock after activity. Throws `locked` when the unlock has ended. */
export async function reportActivity(
  ctx: Context,
  input: { sessionId: string },
): Promise<{ unlockedUntil: string }> {
  const now = ctx.clock.now()
  const session = await ctx.sessions.byId(input.sessionId, now)
  if (!session?.unlockStartedAt) throw notUnlocked()
  const until = slideUnlock(now, session.unlockStartedAt)
  if (!(await ctx.sessions.slide(input.sessionId, now, until))) throw notUnlocked()
  return { unlockedUntil: until.toISOString() }
}
