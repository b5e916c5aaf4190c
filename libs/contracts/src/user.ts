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
  unlockedUntil: timestamp
    .nullable()
    .describe('End of the present unlock (slides with activity); null while locked.'),
  silentCheck: z
    .boolean()
    .describe('Whether the calculator may still check an entry while it is typed (ends with the hint).'),
  unlockPausedUntil: timestamp
    .nullable()
    .describe('Set while explicit unlocking is paused after too many wrong entries.'),
})

export const entitlementView = z.object({
  subscriptionType: z.enum(['free', 'premium']),
  subscriptionExpiresAt: timestamp.nullable(),
})

export const quotaView = z.object({
  dailyMessageCount: z
    .number()
    .int()
    .min(0)
    .nullable()
    .describe('Null while the session is locked: a count is already news of a conversation.'),
  lastMessageDate: timestamp.nullable(),
})

export const user = account
  .extend(entitlementView.shape)
  .extend(quotaView.shape)
  .meta({ id: 'User', description: 'The signed-in person, as nobody else sees them.' })

export type Account = z.infer<typeof account>
export type User = z.infer<typeof user>
