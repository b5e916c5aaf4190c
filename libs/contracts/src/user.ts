import { z } from 'zod'
import { email, phone } from './account-fields.ts'
import { id, timestamp } from './primitives.ts'

/** Auth returns the signed-in person in this form; the gateway adds subscription and quota. */
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
    .describe('End of the current unlock, extended by activity; null while locked.'),
  silentCheck: z
    .boolean()
    .describe('Whether the calculator may check an entry while it is typed; false once the hint was shown.'),
  unlockPausedUntil: timestamp
    .nullable()
    .describe('Set while unlocking in password mode is paused after too many wrong entries.'),
  isDiscreet: z.boolean().describe('Discreet mode: while locked, the account shows almost nothing.'),
  resetDueAt: timestamp
    .optional()
    .describe(
      'When a reset of the app that waits will be carried out. While locked, only the session that asked for it is told, and one that signed in within the last 15 minutes.',
    ),
  resetWaits: z
    .literal(true)
    .optional()
    .describe('A reset of the app would wait, because the right number was never given in this session.'),
  deletionScheduledFor: timestamp
    .optional()
    .describe('When the account will be deleted; absent unless its owner asked for it.'),
})

/** In discreet mode, a locked session that signed in more than 15 minutes ago gets only these fields of the account. */
export const discreetUser = z
  .strictObject({
    id,
    username: account.shape.username,
    isSetupComplete: account.shape.isSetupComplete,
    silentCheck: account.shape.silentCheck,
    unlockPausedUntil: account.shape.unlockPausedUntil,
    deletionScheduledFor: account.shape.deletionScheduledFor,
  })
  .meta({
    id: 'DiscreetUser',
    description: 'The signed-in person in discreet mode, while the session is locked.',
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
    .describe('Null while the session is locked, because a count would reveal activity.'),
  lastMessageDate: timestamp.nullable(),
})

export const wholeUser = account
  .extend(entitlementView.shape)
  .extend(quotaView.shape)
  .meta({ id: 'WholeUser', description: 'The signed-in person, with the fields only they may see.' })

export const user = z.union([wholeUser, discreetUser]).meta({
  id: 'User',
  description: 'The signed-in person; reduced in discreet mode while the session is locked.',
})

export type Account = z.infer<typeof account>
export type WholeUser = z.infer<typeof wholeUser>
export type DiscreetUser = z.infer<typeof discreetUser>
export type User = z.infer<typeof user>
