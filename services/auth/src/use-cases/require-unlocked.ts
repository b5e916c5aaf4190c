import { noSession } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { notUnlocked } from '../domain/errors.ts'
import type { User } from '../domain/user.ts'

/**
 * Resolves with the owner of a session. Throws `locked` unless the session is unlocked in the database, because the caller's
 * token may be outdated.
 */
export async function requireUnlocked(
  ctx: Context,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<User> {
  const now = ctx.clock.now()
  const [session, user] = await Promise.all([ctx.sessions.byId(sessionId, now), ctx.users.byId(userId)])
  if (!session || !user) throw noSession()
  if (!session.unlockedUntil || session.unlockedUntil <= now) throw notUnlocked()
  return user
}
