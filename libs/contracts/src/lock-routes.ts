import { z } from 'zod'
import { newBox, unlockedKeys } from './identity-routes.ts'
import { exampleValues } from './example-values.ts'
import { limits } from './limits.ts'
import { id, numericPassword, timestamp } from './primitives.ts'
import { defineRoute } from './route.ts'

const done = z.object({ ok: z.literal(true) })

export const setupNumericPassword = defineRoute({
  method: 'POST',
  path: '/api/setup-numeric-password',
  service: 'auth',
  access: 'session',
  summary: 'Sets the numeric password once; afterwards it answers 409.',
  body: z.strictObject({
    numericPassword,
    isDiscreet: z
      .boolean()
      .optional()
      .describe('Without it, discreet mode stays as it is: off in a new account.'),
  }),
  example: { body: { numericPassword: exampleValues.numericPassword } },
  responses: { 200: done },
  errors: ['pin_already_set'],
})

export const unlockAnswer = unlockedKeys.extend({
  userId: id.describe('Whose session it is: the page may have another person in mind.'),
  unlockedUntil: timestamp,
  outboxKey: z
    .string()
    .describe(
      '32 bytes in base64: the key that encrypts unsent messages when the session is locked. Held in memory only.',
    ),
  wrongEntries: z
    .number()
    .int()
    .min(0)
    .describe('Wrong entries in password mode since the last unlock, over all sessions of the account.'),
  wrongPasswords: z
    .number()
    .int()
    .min(0)
    .describe('Wrong account passwords since the last unlock, at sign-in and in every session.'),
  cancelledResetDueAt: timestamp
    .optional()
    .describe(
      'When a reset of the app would have been carried out that was cancelled, by this entry or since the last unlock. Told once.',
    ),
})
export type UnlockAnswer = z.infer<typeof unlockAnswer>
export const probeAnswer = z.object({
  hint: z
    .boolean()
    .describe('True on the third correct entry: show the hint and stop checking while typing.'),
})

/** The answer is the same for a wrong entry, during a pause and after too many tries, so that it reveals nothing. */
export const wrongPinSentence = 'Please try again'

export const verifyNumericPassword = defineRoute({
  method: 'POST',
  path: '/api/verify-numeric-password',
  service: 'auth',
  access: 'session',
  summary: 'Unlocks the session, or (intent `probe`) only tells whether the entry is right.',
  body: z.strictObject({
    numericPassword: z.string().regex(/^\d*$/).max(64),
    intent: z.enum(['unlock', 'probe']).default('unlock'),
    entry: z
      .enum(['password-mode', 'digits'])
      .default('password-mode')
      .describe(
        'How it was typed: in password mode, or as plain digits and `=` (counts against the soft limit).',
      ),
  }),
  example: { body: { numericPassword: exampleValues.numericPassword } },
  responses: { 200: z.union([unlockAnswer, probeAnswer]) },
  errors: ['wrong_pin', 'locked', 'deletion_scheduled'],
  rate: {
    perSession: { points: 120, seconds: 60 },
    flood: 'session',
    refusal: { code: 'wrong_pin', error: wrongPinSentence },
  },
})

export const changeNumericPassword = defineRoute({
  method: 'POST',
  path: '/api/change-numeric-password',
  service: 'auth',
  access: 'unlocked',
  summary: 'Replaces the numeric password by a new one, and locks the other sessions of the account.',
  body: z.strictObject({
    currentNumericPassword: z.string().regex(/^\d*$/).max(64),
    numericPassword,
    boxes: z
      .array(newBox)
      .max(limits.boxedKeys)
      .default([])
      .describe(
        'One for each of the caller’s keys that has a box: the same key for the new numeric password.',
      ),
    pinVersion: unlockedKeys.shape.pinVersion.optional().describe('Required with keys.'),
  }),
  example: {
    body: {
      currentNumericPassword: exampleValues.numericPassword,
      numericPassword: exampleValues.numericPassword,
    },
  },
  responses: { 200: done },
  errors: ['wrong_pin', 'boxes_required'],
  rate: { perSession: { points: 20, seconds: 60 } },
})

export const lock = defineRoute({
  method: 'POST',
  path: '/api/lock',
  service: 'auth',
  access: 'session',
  summary: 'Locks the session and closes its sockets.',
  responses: { 200: done },
  errors: [],
  rate: { flood: 'session' },
})

export const getOutboxKey = defineRoute({
  method: 'GET',
  path: '/api/outbox-key',
  service: 'auth',
  access: 'unlocked',
  summary: 'The `outboxKey` of the unlock answer again, for a page that was reloaded.',
  responses: { 200: unlockAnswer.pick({ outboxKey: true }) },
  errors: [],
})

export const setDiscreetMode = defineRoute({
  method: 'POST',
  path: '/api/discreet-mode',
  service: 'auth',
  access: 'session',
  summary: 'Turns discreet mode on or off: what the account shows while locked.',
  body: z.strictObject({ isDiscreet: z.boolean() }),
  example: { body: { isDiscreet: true } },
  responses: { 200: done },
  errors: ['step_up_required'],
})

export const reportActivity = defineRoute({
  method: 'POST',
  path: '/api/activity',
  service: 'auth',
  access: 'unlocked',
  summary: 'Extends the idle deadline while the person is active. Sent at most once a minute.',
  responses: { 200: z.object({ unlockedUntil: timestamp }) },
  errors: [],
})
