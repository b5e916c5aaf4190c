import { z } from 'zod'
import { defineEvent } from './event.ts'
import { id, timestamp } from './primitives.ts'

/** Wakes the readers of auth's list of changed people (`listPersonChanges`) and carries no person. */
export const userRegistered = defineEvent({
  type: 'auth.user-registered.v1',
  topic: 'auth.users',
  key: (data) => data.userId,
  data: z.object({ userId: id }),
  summary: 'A person registered. Wakes the reader of `listPersonChanges`.',
})

export const userUpdated = defineEvent({
  type: 'auth.user-updated.v1',
  topic: 'auth.users',
  key: (data) => data.userId,
  data: z.object({ userId: id }),
  summary: 'A person’s public state changed. Wakes the reader of `listPersonChanges`.',
})

/** Key userId: after every other event about this person. Repeated daily until each owner has acknowledged it (`acknowledgePurge`), so the effect must be idempotent. */
export const userPurgeRequested = defineEvent({
  type: 'auth.user-purge-requested.v1',
  topic: 'auth.users',
  key: (data) => data.userId,
  data: z.object({ userId: id }),
  summary:
    'The account was deleted. Wakes a question to auth (`getPurge`); what is stored about this person is erased when auth confirms it.',
})

/** Key noticeId: notices are not ordered. */
export const noticeRequested = defineEvent({
  type: 'auth.notice-requested.v1',
  topic: 'auth.notices',
  key: (data) => data.noticeId,
  data: z.object({
    noticeId: id,
    expiresAt: timestamp,
    sealed: z
      .object({ keyId: z.string(), iv: z.string(), ciphertext: z.string(), tag: z.string() })
      .describe(
        'The notice as JSON, encrypted with AES-256-GCM; `noticeId` is the additional data. Base64 fields.',
      ),
  }),
  summary: 'A mail or SMS to send once, before `expiresAt`. Only notify can decrypt it.',
})

/** The plaintext of `sealed`. */
export const notice = z.discriminatedUnion('template', [
  z.object({
    channel: z.literal('sms'),
    template: z.literal('phone-code'),
    to: z.string(),
    code: z.string(),
  }),
  z.object({
    channel: z.literal('mail'),
    template: z.enum(['verify-email', 'change-email', 'reset-password']),
    to: z.string(),
    /** Empty for an address that the account has not proven. */
    fullName: z.string(),
    /** The page of the web client, with the token. */
    link: z.url(),
  }),
  z.object({
    channel: z.literal('mail'),
    template: z.enum([
      'password-changed',
      'email-changed',
      'email-claimed',
      'wrong-passwords',
      'phone-changed',
      'app-reset',
      'account-deletion',
    ]),
    to: z.string(),
    fullName: z.string(),
  }),
  z.object({
    channel: z.literal('mail'),
    template: z.literal('app-reset-waits'),
    to: z.string(),
    fullName: z.string(),
    /** When the app is reset, unless that is cancelled. */
    dueAt: timestamp,
  }),
  z.object({
    channel: z.literal('mail'),
    template: z.literal('gift'),
    to: z.string(),
    /** The code as a person types it. */
    code: z.string(),
    /** Written by the buyer; may be empty. */
    giftMessage: z.string(),
    /** The page where it is redeemed. */
    link: z.url(),
  }),
  z.object({
    channel: z.literal('mail'),
    template: z.literal('signed-in'),
    to: z.string(),
    fullName: z.string(),
    /** The person whose preferences decide whether it is sent. */
    userId: id,
  }),
])

export type Notice = z.infer<typeof notice>
