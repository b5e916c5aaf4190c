import { randomUUID } from 'node:crypto'
import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { createOpaque, hashOpaque } from '../domain/opaque.ts'
import { addressFamilyOf, deviceOf } from '../domain/device.ts'
import { accountSuspended, wrongCredentials } from '../domain/errors.ts'
import { idleEnd } from '../domain/user.ts'
import type { Session, User } from '../domain/user.ts'
import { endSurplus } from './end-sessions.ts'
import { revokeSession } from './revoke-session.ts'

export interface OpenedSession {
  session: Session
  /** The database holds only a hash of this cookie value. */
  cookie: string
}

/** A person signs in with this browser. */
export interface Browser {
  previousCookie: string | undefined
  userAgent: string | undefined
  address: string
}

/**
 * Opens a locked session for a user whose password was just right. Revokes the browser's previous session, so that its
 * cookie is no longer valid after a sign-in, and surplus sessions of a person who has too many.
 */
export async function openSession(
  ctx: Context,
  signedIn: User,
  { previousCookie, userAgent, address }: Browser,
): Promise<OpenedSession> {
  const userId = signedIn._id
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
    device: deviceOf(userAgent),
    addressFamily: addressFamilyOf(address),
    lastSeenAt: now,
    idleEndsAt: idleEnd(now),
  }
  await ctx.sessions.insert(session)
  // A reset of the password ends only sessions that exist. This one may have been opened just afterwards, with the former
  // password.
  const present = await ctx.users.byId(userId)
  if (present?.passwordChangedAt?.getTime() !== signedIn.passwordChangedAt?.getTime()) {
    await revokeSession(ctx, { sessionId: session._id, userId })
    throw wrongCredentials()
  }
  if (present?.suspendedAt) {
    await revokeSession(ctx, { sessionId: session._id, userId })
    throw accountSuspended()
  }
  if (previous) await revokeSession(ctx, { sessionId: previous._id, userId: previous.userId })
  if (present) await endSurplus(ctx, present, session)
  return { session, cookie }
}
