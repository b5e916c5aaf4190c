import { z } from 'zod'
import { id } from './primitives.ts'

/** Claims of the inward ES256 JWT; times in seconds since the epoch, `unlockedUntil` 0 while locked. */
export const tokenClaims = z.object({
  sub: id,
  sid: id,
  admin: z.boolean(),
  unlockedUntil: z.number().int().min(0),
  /** When the account password was given. Tokens of the release before do not tell: long ago, then. */
  signedInAt: z.number().int().min(0).default(0),
  exp: z.number().int(),
  iat: z.number().int(),
})

export const tokenIssuer = 'auth'
