import { z } from 'zod'
import { email, id, phone, timestamp } from './primitives.ts'

/** What auth knows of the signed-in person; the gateway adds subscription and quota. */
export const account = z.object({
  id,
  username: z.string(),
  email,
  phone,
  fullName: z.string(),
  userCode: z.string(),
  isPhoneVerified: z.boolean(),
  isEmailVerified: z.boolean(),
  isSetupComplete: z.boolean(),
  isAdmin: z.boolean(),
  createdAt: timestamp,
  /** End of the present unlock (slides with activity); null while locked. */
  unlockedUntil: timestamp.nullable(),
  /** Whether the calculator may still check an entry while it is typed (ends with the hint). */
  silentCheck: z.boolean(),
  /** Set while explicit unlocking is paused after too many wrong entries. */
  unlockPausedUntil: timestamp.nullable(),
})

export const entitlementView = z.object({
  subscriptionType: z.enum(['free', 'premium']),
  subscriptionExpiresAt: timestamp.nullable(),
})

/** Null while the session is locked: a count of messages is already news of a conversation. */
export const quotaView = z.object({
  dailyMessageCount: z.number().int().min(0).nullable(),
  lastMessageDate: timestamp.nullable(),
})

export const user = account.extend(entitlementView.shape).extend(quotaView.shape)

export type Account = z.infer<typeof account>
export type User = z.infer<typeof user>
