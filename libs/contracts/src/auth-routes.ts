import { z } from 'zod'
import { exampleValues } from './example-values.ts'
import { limits } from './limits.ts'
import { email, fullName, numericPassword, password, phone, timestamp, username } from './primitives.ts'
import { defineRoute } from './route.ts'
import { account, discreetUser, user, wholeUser } from './user.ts'

const done = z.object({ ok: z.literal(true) })

export const getUser = defineRoute({
  method: 'GET',
  path: '/api/user',
  service: 'auth',
  access: 'session',
  summary: 'The signed-in person. 401 means that the session is not signed in.',
  responses: { 200: user },
  upstreamResponse: z.union([account, discreetUser]),
  errors: [],
})

export const requestPhoneCode = defineRoute({
  method: 'POST',
  path: '/api/phone/request-code',
  service: 'auth',
  access: 'public',
  summary: 'Sends a six-digit code by SMS and keeps the attempt in an HttpOnly cookie.',
  body: z.strictObject({ phone }),
  example: { body: { phone: exampleValues.phone } },
  responses: {
    200: z.object({
      resendAfterSeconds: z.number().int(),
      expiresInSeconds: z.number().int(),
      demoCode: z.string().optional().describe('The code itself. Never in production.'),
    }),
  },
  errors: ['too_many_requests'],
  rate: { perAddress: { points: 20, seconds: 600 } },
})

export const verifyPhoneCode = defineRoute({
  method: 'POST',
  path: '/api/phone/verify-code',
  service: 'auth',
  access: 'public',
  summary: 'Verifies the phone number; the cookie keeps the proof until the register call.',
  body: z.strictObject({ code: z.string().regex(/^\d{6}$/, 'Please enter all 6 digits') }),
  example: { body: { code: exampleValues.phoneCode } },
  responses: { 200: done },
  errors: ['wrong_code', 'code_expired'],
  rate: { perAddress: { points: 60, seconds: 600 } },
})

export const register = defineRoute({
  method: 'POST',
  path: '/api/register',
  service: 'auth',
  access: 'public',
  summary: 'Creates the account and signs in. Requires the cookie of a verified phone number.',
  body: z.strictObject({ username, email, password, phone, fullName }),
  example: {
    body: {
      username: exampleValues.username,
      email: exampleValues.email,
      password: exampleValues.password,
      phone: exampleValues.phone,
      fullName: exampleValues.fullName,
    },
  },
  responses: { 201: wholeUser },
  upstreamResponse: account,
  errors: ['username_taken', 'email_taken', 'phone_not_verified'],
  rate: { perAddress: { points: 30, seconds: 600 } },
})

export const login = defineRoute({
  method: 'POST',
  path: '/api/login',
  service: 'auth',
  access: 'public',
  summary: 'Signs in; a new session cookie replaces the old one. The session starts locked.',
  body: z.strictObject({
    username: z.string().min(1).max(limits.emailMaxLength),
    password: z.string().min(1).max(1024),
  }),
  example: { body: { username: exampleValues.username, password: exampleValues.password } },
  responses: { 200: wholeUser },
  upstreamResponse: account,
  errors: ['wrong_credentials', 'account_suspended', 'too_many_requests'],
  rate: { perAddress: { points: 30, seconds: 60 } },
})

export const logout = defineRoute({
  method: 'POST',
  path: '/api/logout',
  service: 'auth',
  access: 'session',
  summary: 'Revokes the session everywhere.',
  responses: { 200: done },
  errors: [],
  rate: { flood: 'session' },
})

export const setupNumericPassword = defineRoute({
  method: 'POST',
  path: '/api/setup-numeric-password',
  service: 'auth',
  access: 'session',
  summary: 'Sets the numeric password once; afterwards it answers 409.',
  body: z.strictObject({ numericPassword, isDiscreet: z.boolean().default(false) }),
  example: { body: { numericPassword: exampleValues.numericPassword } },
  responses: { 200: done },
  errors: ['pin_already_set'],
})

export const unlockAnswer = z.object({
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
})
export const probeAnswer = z.object({
  hint: z
    .boolean()
    .describe('True on the third correct entry: show the hint and stop checking while typing.'),
})

/** The answer must not tell a wrong entry from a pause or too many tries. */
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
  body: z.strictObject({ currentNumericPassword: z.string().regex(/^\d*$/).max(64), numericPassword }),
  example: {
    body: {
      currentNumericPassword: exampleValues.numericPassword,
      numericPassword: exampleValues.numericPassword,
    },
  },
  responses: { 200: done },
  errors: ['wrong_pin'],
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

export const endOtherSessions = defineRoute({
  method: 'POST',
  path: '/api/sessions/end-others',
  service: 'auth',
  access: 'session',
  summary: 'Signs out all other sessions of the account. Requires the account password.',
  body: z.strictObject({ password: z.string().min(1).max(1024) }),
  example: { body: { password: exampleValues.password } },
  responses: { 200: done },
  errors: ['wrong_credentials', 'too_many_requests'],
  rate: { perPerson: { points: 20, seconds: 60 } },
})

export const changePassword = defineRoute({
  method: 'POST',
  path: '/api/password/change',
  service: 'auth',
  access: 'step-up',
  summary: 'Replaces the account password, and signs out all other sessions of the account.',
  body: z.strictObject({ password: z.string().min(1).max(1024), newPassword: password }),
  example: { body: { password: exampleValues.password, newPassword: exampleValues.password } },
  responses: { 200: done },
  errors: ['wrong_credentials', 'too_many_requests'],
  rate: { perPerson: { points: 20, seconds: 60 } },
})

export const resetApp = defineRoute({
  method: 'POST',
  path: '/api/reset-app',
  service: 'auth',
  access: 'session',
  summary:
    'For a forgotten numeric password: removes it, deletes all conversations for this person, gives a new user code and signs out all other sessions. Requires the account password.',
  body: z.strictObject({ password: z.string().min(1).max(1024) }),
  example: { body: { password: exampleValues.password } },
  responses: { 200: done },
  errors: ['wrong_credentials', 'too_many_requests'],
  rate: { perPerson: { points: 20, seconds: 60 } },
})

export const rotateUserCode = defineRoute({
  method: 'POST',
  path: '/api/rotate-user-code',
  service: 'auth',
  access: 'unlocked',
  summary: 'Gives the account a new user code. The former one is never given out again; conversations stay.',
  responses: { 200: z.object({ userCode: z.string() }) },
  errors: [],
  rate: { perPerson: { points: 10, seconds: 3600 } },
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
