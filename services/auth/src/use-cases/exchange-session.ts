import { limits } from '@sumlock/contracts/limits'
import { tokenIssuer } from '@sumlock/contracts/token'
import jwt from 'jsonwebtoken'
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
  const iat = Math.floor(now.getTime() / 1000)
  const exp = iat + limits.tokenLifetimeSeconds
  const claims = {
    iss: tokenIssuer,
    sub: user._id,
    sid: session._id,
    admin: user.isAdmin,
    unlockedUntil: unlockedUntil ? Math.floor(unlockedUntil.getTime() / 1000) : 0,
    iat,
    exp,
  }
  return {
    token: jwt.sign(claims, ctx.tokenKey, { algorithm: 'ES256', keyid: ctx.config.TOKEN_KID }),
    sid: session._id,
    userId: user._id,
    unlockedUntil: unlockedUntil?.toISOString() ?? null,
    expiresAt: new Date(exp * 1000).toISOString(),
  }
}
