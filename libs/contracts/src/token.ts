import { z } from 'zod'
import { id } from './primitives.ts'

/** Claims of the inward ES256 JWT; `unlockedUntil` in seconds since the epoch, 0 while locked. */
export const tokenClaims = z.object({
  sub: id,
  sid: id,
  admin: z.boolean(),
  unlockedUntil: z.number().int().min(0),
  exp: z.number().int(),
  iat: z.number().int(),
})

export const tokenIssuer = 'auth'
