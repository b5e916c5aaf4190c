import { createPublicKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { tokenClaims, tokenIssuer } from '@sumlock/contracts/token'
import type { TokenAudience } from '@sumlock/contracts/token'
import type { Access } from '@sumlock/contracts/route'
import jwt from 'jsonwebtoken'
import { AppError, noSession } from './app-error.ts'
import type { Clock } from './clock.ts'
import { createLru } from './lru.ts'
import { notUnlocked, refusalOfAdmin } from './step-up.ts'

/** The fields come from the signed token of a request. */
export interface Caller {
  readonly userId: string
  readonly sessionId: string
  readonly isAdmin: boolean
  /** The value is null while the session is locked. */
  readonly unlockedUntil: Date | null
  /** The unlock began at this time. The value is null while the session is locked, or if the token does not say. */
  readonly unlockedAt: Date | null
  /** At this time the person signed in with the account password. */
  readonly signedInAt: Date
  /** At this time the person last gave the account password in this session. */
  readonly passwordGivenAt: Date
}

export interface SessionGuard {
  /** Returns the caller that an Authorization header proves, or null. */
  identify(authorization: string | undefined): Caller | null
  /**
   * Returns the caller. Throws 401, 423 or 403 (`not_allowed`, `step_up_required`) when the access is not sufficient.
   */
  require(access: Exclude<Access, 'public' | 'webhook'>, authorization: string | undefined): Caller
}

/** So many verified tokens are cached, because one token comes with many requests. A full cache takes about 40 MB. */
const rememberedTokens = 50_000

/**
 * Verifies the gateway's tokens with one or two configured public keys. A token for another audience than `audience`
 * is refused.
 */
export function createSessionGuard(
  publicKeys: readonly { kid: string; pem: string }[],
  clock: Clock,
  audience: TokenAudience,
): SessionGuard {
  const keys = new Map<string, KeyObject>(publicKeys.map(({ kid, pem }) => [kid, createPublicKey(pem)]))
  const verified = createLru<string, { caller: Caller; expiresMs: number }>(rememberedTokens)

  const identify = (authorization: string | undefined): Caller | null => {
    const token = authorization?.startsWith('Bearer ') ? authorization.slice(7) : undefined
    if (!token) return null
    const known = verified.get(token)
    if (known && known.expiresMs > clock.nowMs()) return known.caller
    const proved = verify(token)
    if (!proved) return null
    verified.set(token, proved)
    return proved.caller
  }

  const verify = (token: string): { caller: Caller; expiresMs: number } | null => {
    try {
      const kid = jwt.decode(token, { complete: true })?.header.kid
      const key = kid === undefined ? undefined : keys.get(kid)
      if (!key) return null
      const nowSeconds = Math.floor(clock.nowMs() / 1000)
      const claims = tokenClaims.parse(
        jwt.verify(token, key, { algorithms: ['ES256'], issuer: tokenIssuer, clockTimestamp: nowSeconds }),
      )
      // guard: token-audience
      if (claims.aud !== audience) return null
      const unlockedUntil = claims.unlockedUntil > 0 ? new Date(claims.unlockedUntil * 1000) : null
      const unlockedAt = claims.unlockedAtMs > 0 ? new Date(claims.unlockedAtMs) : null
      const signedInAt = new Date(claims.signedInAt * 1000)
      const { sub: userId, sid: sessionId, admin: isAdmin } = claims
      const passwordGivenAt = new Date(claims.passwordGivenAt * 1000)
      const caller = {
        ...{ userId, sessionId, isAdmin, unlockedUntil, unlockedAt },
        ...{ signedInAt, passwordGivenAt },
      }
      return { caller, expiresMs: claims.exp * 1000 }
    } catch {
      return null
    }
  }

  return {
    identify,
    require(access, authorization) {
      const caller = identify(authorization)
      if (!caller) throw noSession()
      if (
        access === 'unlocked' &&
        !(caller.unlockedUntil && caller.unlockedUntil.getTime() > clock.nowMs())
      ) {
        throw notUnlocked()
      }
      if (access === 'admin' && !caller.isAdmin) {
        throw new AppError('forbidden', 'not_allowed', 'This is for administrators only.')
      }
      const refusal = access === 'admin' ? refusalOfAdmin(caller, clock.nowMs()) : null
      if (refusal) throw refusal
      return caller
    },
  }
}
