import type { Context } from '../context.ts'
import { noSession } from '../domain/errors.ts'
import { hashOpaque } from '../domain/opaque.ts'

/** The phantom token exchange: an opaque cookie for a token that services can verify themselves for a minute. */
export async function exchangeSession(ctx: Context, input: { cookie: string }) {
  const now = ctx.clock.now()
  const session = await ctx.sessions.byCookieHash(hashOpaque(input.cookie), now)
  const user = session && (await ctx.users.byId(session.userId))
  if (!session || !user) throw noSession()
  const unlockedUntil = session.unlockedUntil && session.unlockedUntil > now ? session.unlockedUntil : null
  const { token, expiresAt } = ctx.signToken(
    {
      sub: user._id,
      sid: session._id,
      admin: user.isAdmin,
      unlockedUntil: unlockedUntil ? Math.floor(unlockedUntil.getTime() / 1000) : 0,
    },
    now,
  )
  return {
    token,
    sid: session._id,
    userId: user._id,
    unlockedUntil: unlockedUntil?.toISOString() ?? null,
    expiresAt: expiresAt.toISOString(),
  }
}
