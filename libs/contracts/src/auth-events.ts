import { z } from 'zod'
import { defineEvent } from './event.ts'
import { id, timestamp } from './primitives.ts'

/** The event only tells consumers to call `listPersonChanges` and carries no data of the person but the id. */
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

/**
 * The key userId keeps it after all other events about this person. It is repeated daily until each owner has
 * acknowledged it (`acknowledgePurge`), so handling it twice must have the effect of once.
 */
export const userPurgeRequested = defineEvent({
  type: 'auth.user-purge-requested.v1',
  topic: 'auth.users',
  key: (data) => data.userId,
  data: z.object({ userId: id }),
  summary:
    'The account was deleted. Wakes a question to auth (`getPurge`); what is stored about this person is erased when auth confirms it.',
})

/** The key is the noticeId, because notices need no order. */
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

/** Notify decrypts `sealed` to such a notice. */
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
    /** The name is empty for an address that the account has not proven. */
    fullName: z.string(),
    /** The link opens a page of the web client and contains the token. */
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
    /** The app is reset at this time unless the reset is cancelled. */
    dueAt: timestamp,
  }),
  z.object({
    channel: z.literal('mail'),
    template: z.literal('gift'),
    to: z.string(),
    code: z.string(),
    /** The buyer wrote this text; it may be empty. */
    giftMessage: z.string(),
    /** The code is redeemed on this page. */
    link: z.url(),
  }),
  z.object({
    channel: z.literal('mail'),
    template: z.literal('signed-in'),
    to: z.string(),
    fullName: z.string(),
    /** The preferences of this person decide whether the mail is sent. */
    userId: id,
  }),
])

export type Notice = z.infer<typeof notice>
