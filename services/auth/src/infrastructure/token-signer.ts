import type { KeyObject } from 'node:crypto'
import { limits } from '@sumlock/contracts/limits'
import { tokenIssuer } from '@sumlock/contracts/token'
import { createLru } from '@sumlock/service-kit/lru'
import jwt from 'jsonwebtoken'

export interface TokenSubject {
  sub: string
  sid: string
  admin: boolean
  /** Seconds since the epoch; 0 while locked. */
  unlockedUntil: number
  /** Seconds since the epoch. */
  signedInAt: number
}

export interface SignedToken {
  token: string
  expiresAt: Date
}

export type TokenSigner = (subject: TokenSubject, now: Date) => SignedToken

/** About 40 MB at most. */
const remembered = 50_000

/**
 * Signs the internal token of a session. A token with the same claims is reused until half of its lifetime has passed:
 * signing costs as much as a lookup, and each service verifies a token only once.
 */
export function createTokenSigner(key: KeyObject, keyid: string): TokenSigner {
  const given = createLru<string, SignedToken>(remembered)
  const halfLifeMs = (limits.tokenLifetimeSeconds * 1000) / 2

  return ({ sub, sid, admin, unlockedUntil, signedInAt }, now) => {
    const words = `${sid} ${sub} ${admin} ${unlockedUntil} ${signedInAt}`
    const earlier = given.get(words)
    if (earlier && earlier.expiresAt.getTime() - now.getTime() > halfLifeMs) return earlier
    const iat = Math.floor(now.getTime() / 1000)
    const exp = iat + limits.tokenLifetimeSeconds
    const claims = { iss: tokenIssuer, sub, sid, admin, unlockedUntil, signedInAt, iat, exp }
    const signed = {
      token: jwt.sign(claims, key, { algorithm: 'ES256', keyid }),
      expiresAt: new Date(exp * 1000),
    }
    given.set(words, signed)
    return signed
  }
}
