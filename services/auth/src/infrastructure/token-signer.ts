import type { KeyObject } from 'node:crypto'
import { limits } from '@sumlock/contracts/limits'
import { tokenAudiences, tokenIssuer } from '@sumlock/contracts/token'
import type { TokenAudience } from '@sumlock/contracts/token'
import jwt from 'jsonwebtoken'

export interface TokenSubject {
  sub: string
  sid: string
  admin: boolean
  /** Seconds since the epoch; 0 while locked. */
  unlockedUntil: number
  /** Milliseconds since the epoch; 0 while locked. */
  unlockedAtMs: number
  /** This time and `passwordGivenAt` are seconds since the epoch. */
  signedInAt: number
  passwordGivenAt: number
}

export interface SignedTokens {
  tokens: Readonly<Record<TokenAudience, string>>
  expiresAt: Date
}

export interface TokenSigner {
  /** Returns one token for each service. */
  forEach(this: void, subject: TokenSubject, now: Date): SignedTokens
}

/** Signs the internal tokens of a session. */
export function createTokenSigner(key: KeyObject, keyid: string): TokenSigner {
  const issuedAt = (now: Date) => Math.floor(now.getTime() / 1000)

  const sign = (subject: TokenSubject, aud: TokenAudience, iat: number): string => {
    const claims = { iss: tokenIssuer, aud, ...subject, iat, exp: iat + limits.tokenLifetimeSeconds }
    return jwt.sign(claims, key, { algorithm: 'ES256', keyid })
  }
  const expiryOf = (iat: number) => new Date((iat + limits.tokenLifetimeSeconds) * 1000)

  return {
    forEach(subject, now) {
      const iat = issuedAt(now)
      const tokens = Object.fromEntries(tokenAudiences.map((aud) => [aud, sign(subject, aud, iat)]))
      return { tokens: tokens as SignedTokens['tokens'], expiresAt: expiryOf(iat) }
    },
  }
}
