import { z } from 'zod'
import { id } from './primitives.ts'

/** These services verify tokens, each only those that are made out for it. */
export const tokenAudiences = ['auth', 'messaging', 'billing', 'notify'] as const
export type TokenAudience = (typeof tokenAudiences)[number]

/**
 * The claims of the JWT (ES256) that the gateway sends to services. Times are in seconds since the epoch;
 * `unlockedUntil` is 0 while locked.
 */
export const tokenClaims = z.object({
  aud: z.enum(tokenAudiences),
  sub: id,
  sid: id,
  admin: z.boolean(),
  unlockedUntil: z.number().int().min(0),
  /**
   * The present unlock began at this time in milliseconds, so that a lock and the next unlock never have the same value; 0
   * while locked, and in tokens of an auth that does not set it yet.
   */
  unlockedAtMs: z.number().int().min(0).default(0),
  /** The time of the last sign-in with the account password. */
  signedInAt: z.number().int().min(0),
  /** At this time the account password was last given in the session. */
  passwordGivenAt: z.number().int().min(0),
  exp: z.number().int(),
  iat: z.number().int(),
})

export const tokenIssuer = 'auth'
