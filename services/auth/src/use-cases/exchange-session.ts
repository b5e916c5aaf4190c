import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { noSession } from '@sumlock/service-kit/app-error'
import { hashOpaque } from '../domain/opaque.ts'
import { idleEnd, lastPasswordOf } from '../domain/user.ts'
import type { Session } from '../domain/user.ts'

/** A gateway gets a token for each service; realtime gets none. */
export type TokensWanted = 'each' | 'none'

/** Exchanges an opaque cookie for tokens that services verify by themselves for a minute (phantom tokens). */
export async function exchangeSession(ctx: Context, input: { cookie: string; wanted: TokensWanted }) {
  const now = ctx.clock.now()
  const session = await ctx.sessions.byCookieHash(hashOpaque(input.cookie), now)
  if (!session) throw noSession()
  noteUse(ctx, session, now)
  const isAdmin = await isAdminNow(ctx, session)
  const unlockedUntil = session.unlockedUntil && session.unlockedUntil > now ? session.unlockedUntil : null
  const passwordGivenAt = lastPasswordOf(session)
  const subject = {
    sub: session.userId,
    sid: session._id,
    admin: isAdmin,
    unlockedUntil: unlockedUntil ? inSeconds(unlockedUntil) : 0,
    unlockedAtMs: unlockedUntil ? ((session.unlockedSince ?? session.unlockStartedAt)?.getTime() ?? 0) : 0,
    signedInAt: inSeconds(session.createdAt),
    passwordGivenAt: inSeconds(passwordGivenAt),
  }
  const { expiresAt, ...tokens } =
    input.wanted === 'each' ? ctx.tokens.forEach(subject, now) : { expiresAt: now }
  return {
    ...tokens,
    sid: session._id,
    userId: session.userId,
    unlockedUntil: unlockedUntil?.toISOString() ?? null,
    isAdmin,
    passwordGivenAt: passwordGivenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}

/**
 * Stores the use of a session at most once a minute and after the answer, so that an exchange rarely needs more than one
 * read.
 */
function noteUse(ctx: Context, session: Session, now: Date): void {
  if (now.getTime() - session.lastSeenAt.getTime() < limits.sessionSeenSeconds * 1000) return
  ctx.background.run('noting the use of a session', () => ctx.sessions.see(session._id, now, idleEnd(now)))
}

/**
 * Most sessions are marked as not being an administrator's. For all others the account is read, so that a role that was
 * taken away has no effect any more.
 */
async function isAdminNow(ctx: Context, session: Session): Promise<boolean> {
  if (!session.isAdmin) return false
  const user = await ctx.users.byId(session.userId)
  if (!user) throw noSession()
  return user.isAdmin
}

const inSeconds = (date: Date) => Math.floor(date.getTime() / 1000)
