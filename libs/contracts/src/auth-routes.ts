import { z } from 'zod'
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
  summary: 'The signed-in person. 401 means nobody is signed in.',
  responses: { 200: user },
  ownerAnswers: z.union([account, discreetUser]),
  errors: [],
})

export const requestPhoneCode = defineRoute({
  method: 'POST',
  path: '/api/phone/request-code',
  service: 'auth',
  access: 'public',
  summary: 'Sends a six-digit code by SMS and remembers the attempt in an HttpOnly cookie.',
  body: z.strictObject({ phone }),
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
  summary: 'Proves the phone number; the proof stays with the cookie until the register call.',
  body: z.strictObject({ code: z.string().regex(/^\d{6}$/, 'Please enter all 6 digits') }),
  responses: { 200: done },
  errors: ['wrong_code', 'code_expired'],
  rate: { perAddress: { points: 60, seconds: 600 } },
})

export const register = defineRoute({
  method: 'POST',
  path: '/api/register',
  service: 'auth',
  access: 'public',
  summary: 'Creates the account and signs in. Needs the phone proof cookie.',
  body: z.strictObject({ username, email, password, phone, fullName }),
  responses: { 201: wholeUser },
  ownerAnswers: account,
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
  responses: { 200: wholeUser },
  ownerAnswers: account,
  errors: ['wrong_credentials', 'too_many_requests'],
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
  responses: { 200: done },
  errors: ['pin_already_set'],
})

/** An unlock answers with the deadline, a key for what is unsent, and the wrong entries before it; a probe with the hint. */
export const unlockAnswer = z.object({
  unlockedUntil: timestamp,
  outboxKey: z
    .string()
    .describe('32 bytes, base64: encrypts what is still unsent at lock. Held in memory only.'),
  wrongEntries: z
    .number()
    .int()
    .min(0)
    .describe('Wrong entries in password mode since the account was last unlocked, in all of its sessions.'),
})
export const probeAnswer = z.object({
  hint: z
    .boolean()
    .describe('True on the third correct entry: show the hint, and stop checking while typing.'),
})

/** A wrong entry, a pause and too many tries must look alike. */
export const wrongPinSentence = 'Please try again'

export const verifyNumericPassword = defineRoute({
  method: 'POST',
  path: '/api/verify-numeric-password',
  service: 'auth',
  access: 'session',
  summary: 'Unlocks, or (intent probe) tells whether the entry is right and unlocks nothing.',
  body: z.strictObject({
    numericPassword: z.string().regex(/^\d*$/).max(64),
    intent: z.enum(['unlock', 'probe']).default('unlock'),
    entry: z
      .enum(['password-mode', 'digits'])
      .default('password-mode')
      .describe('How it was typed: in password mode, or as bare digits and `=` (spends the soft budget).'),
  }),
  responses: { 200: z.union([unlockAnswer, probeAnswer]) },
  errors: ['wrong_pin', 'locked'],
  rate: {
    perSession: { points: 120, seconds: 60 },
    flood: 'session',
    refusal: { code: 'wrong_pin', error: wrongPinSentence },
  },
})

export const lock = defineRoute({
  method: 'POST',
  path: '/api/lock',
  service: 'auth',
  access: 'session',
  summary: 'Ends the unlock at once and closes the sockets of this session.',
  responses: { 200: done },
  errors: [],
  rate: { flood: 'session' },
})

export const getOutboxKey = defineRoute({
  method: 'GET',
  path: '/api/outbox-key',
  service: 'auth',
  access: 'unlocked',
  summary: 'The key of the unlock answer once more, for a page that was loaded again.',
  responses: { 200: unlockAnswer.pick({ outboxKey: true }) },
  errors: [],
})

export const setDiscreetMode = defineRoute({
  method: 'POST',
  path: '/api/discreet-mode',
  service: 'auth',
  access: 'session',
  summary: 'Switches discreet mode: what the account shows while locked.',
  body: z.strictObject({ isDiscreet: z.boolean() }),
  responses: { 200: done },
  errors: ['step_up_required'],
})

export const endOtherSessions = defineRoute({
  method: 'POST',
  path: '/api/sessions/end-others',
  service: 'auth',
  access: 'session',
  summary: 'Signs the account out everywhere else. Needs the account password.',
  body: z.strictObject({ password: z.string().min(1).max(1024) }),
  responses: { 200: done },
  errors: ['wrong_credentials', 'too_many_requests'],
  rate: { perPerson: { points: 20, seconds: 60 } },
})

export const reportActivity = defineRoute({
  method: 'POST',
  path: '/api/activity',
  service: 'auth',
  access: 'unlocked',
  summary: 'The person moved: the idle deadline slides. Sent at most once a minute.',
  responses: { 200: z.object({ unlockedUntil: timestamp }) },
  errors: [],
})

export const authRoutes = {
  getUser,
  requestPhoneCode,
  verifyPhoneCode,
  register,
  login,
  logout,
  setupNumericPassword,
  verifyNumericPassword,
  lock,
  getOutboxKey,
  setDiscreetMode,
  endOtherSessions,
  reportActivity,
}
