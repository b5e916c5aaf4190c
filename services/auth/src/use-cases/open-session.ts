import { randomUUID } from 'node:crypto'
import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { createOpaque, hashOpaque } from '../domain/opaque.ts'
import type { Session } from '../domain/user.ts'
import { revokeSession } from './revoke-session.ts'

export interface OpenedSession {
  session: Session
  /** The value of the cookie; only its hash is stored. */
  cookie: string
}

/**
 * Opens a locked session. Revokes the browser's previous session, so that no cookie outlives a sign-in, and the oldest
 * sessions of a person who has too many.
 */
export async function openSession(
  ctx: Context,
  userId: string,
  previousCookie: string | undefined,
): Promise<OpenedSession> {
  const now = ctx.clock.now()
  const previous = previousCookie ? await ctx.sessions.byCookieHash(hashOpaque(previousCookie), now) : null
  const user = await ctx.users.byId(userId)
  const cookie = createOpaque()
  const session: Session = {
    _id: randomUUID(),
    cookieHash: hashOpaque(cookie),
    userId,
    createdAt: now,
    expiresAt: new Date(now.getTime() + limits.sessionLifetimeDays * 86_400_000),
    unlockStartedAt: null,
    unlockedUntil: null,
    revokedAt: null,
    isAdmin: user?.isAdmin ?? false,
  }
  await ctx.sessions.insert(session)
  if (previous) await revokeSession(ctx, { sessionId: previous._id, userId: previous.userId })
  const others = await ctx.sessions.aliveOf(userId, now, session._id)
  for (const { _id } of others.slice(limits.sessionsPerPerson - 1))
    await revokeSession(ctx, { sessionId: _id, userId })
  return { session, cookie }
}
