import type { KeyObject } from 'node:crypto'
import { limits } from '@sumlock/contracts/limits'
import { tokenAudiences, tokenIssuer } from '@sumlock/contracts/token'
import type { TokenAudience } from '@sumlock/contracts/token'
import { createLru } from '@sumlock/service-kit/lru'
import jwt from 'jsonwebtoken'

export interface TokenSubject {
  sub: string
  sid: string
  admin: boolean
  /** Seconds since the epoch; 0 while locked. */
  unlockedUntil: number
  /** Seconds since the epoch, as the next. */
  signedInAt: number
  passwordGivenAt: number
}

export interface SignedTokens {
  tokens: Readonly<Record<TokenAudience, string>>
  expiresAt: Date
}

export interface TokenSigner {
  /** One token for each service. */
  forEach(this: void, subject: TokenSubject, now: Date): SignedTokens
  /** One token for all services: gateways of the release before send the same to each. */
  forAll(this: void, subject: TokenSubject, now: Date): { token: string; expiresAt: Date }
}

/** About 50 MB at most. */
const remembered = 25_000

/**
 * Signs the internal tokens of a session. Tokens with the same claims are reused until half of their lifetime has passed:
 * signing costs as much as a lookup, and each service verifies a token only once.
 */
export function createTokenSigner(key: KeyObject, keyid: string): TokenSigner {
  const given = createLru<string, SignedTokens>(remembered)
  const halfLifeMs = (limits.tokenLifetimeSeconds * 1000) / 2
  const issuedAt = (now: Date) => Math.floor(now.getTime() / 1000)

  const sign = (subject: TokenSubject, aud: TokenAudience | TokenAudience[], iat: number): string => {
    const claims = { iss: tokenIssuer, aud, ...subject, iat, exp: iat + limits.tokenLifetimeSeconds }
    return jwt.sign(claims, key, { algorithm: 'ES256', keyid })
  }
  const expiryOf = (iat: number) => new Date((iat + limits.tokenLifetimeSeconds) * 1000)

  return {
    forEach(subject, now) {
      const { sub, sid, admin, unlockedUntil, signedInAt, passwordGivenAt } = subject
      const words = `${sid} ${sub} ${admin} ${unlockedUntil} ${signedInAt} ${passwordGivenAt}`
      const earlier = given.get(words)
      if (earlier && earlier.expiresAt.getTime() - now.getTime() > halfLifeMs) return earlier
      const iat = issuedAt(now)
      const tokens = Object.fromEntries(tokenAudiences.map((aud) => [aud, sign(subject, aud, iat)]))
      const signed = { tokens: tokens as SignedTokens['tokens'], expiresAt: expiryOf(iat) }
      given.set(words, signed)
      return signed
    },
    forAll(subject, now) {
      const iat = issuedAt(now)
      return { token: sign(subject, [...tokenAudiences], iat), expiresAt: expiryOf(iat) }
    },
  }
}
