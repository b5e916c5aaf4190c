import { z } from 'zod'
import { id } from './primitives.ts'

/** The services that verify tokens. A token is accepted by its audience only. */
export const tokenAudiences = ['auth', 'messaging', 'billing', 'notify'] as const
export type TokenAudience = (typeof tokenAudiences)[number]

/** Claims of the inward ES256 JWT; times in seconds since the epoch, `unlockedUntil` 0 while locked. */
export const tokenClaims = z.object({
  aud: z.enum(tokenAudiences),
  sub: id,
  sid: id,
  admin: z.boolean(),
  unlockedUntil: z.number().int().min(0),
  /** Time of the last sign-in with the account password. */
  signedInAt: z.number().int().min(0),
  /** Time when the account password was last given in the session. */
  passwordGivenAt: z.number().int().min(0),
  exp: z.number().int(),
  iat: z.number().int(),
})

export const tokenIssuer = 'auth'
