import { z } from 'zod'
import { exampleValues } from './example-values.ts'
import { limits } from './limits.ts'
import { email, fullName, password, phone, username } from './account-fields.ts'
import { timestamp } from './primitives.ts'
import { defineRoute, ownersRate } from './route.ts'
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
  rate: { flood: 'session' },
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
  errors: ['too_many_requests', 'phone_country_not_served'],
  // This is only a limit on requests. Auth itself limits the codes that an address requests and does not verify.
  rate: { perAddress: { points: 60, seconds: 600 } },
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
  summary:
    'Creates the account and signs in. Requires the cookie of a verified phone number, with which ten user names can be tried. The answer is the same whether another account has the e-mail address or not.',
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
  errors: ['username_taken', 'phone_not_verified'],
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

export const endOtherSessions = defineRoute({
  method: 'POST',
  path: '/api/sessions/end-others',
  service: 'auth',
  access: 'session',
  summary:
    'Signs out all other sessions of the account. Requires the account password, and that the right number was given in this session if it was given in one of them.',
  body: z.strictObject({ password: z.string().min(1).max(1024) }),
  example: { body: { password: exampleValues.password } },
  responses: { 200: done },
  errors: ['wrong_credentials', 'number_not_given', 'too_many_requests'],
  rate: ownersRate,
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
  rate: ownersRate,
})

export const resetApp = defineRoute({
  method: 'POST',
  path: '/api/reset-app',
  service: 'auth',
  access: 'session',
  summary:
    'For a forgotten numeric password: removes it, deletes all conversations for this person, gives a new user code and signs out all other sessions. Requires the account password. In a session in which the right number was never given it waits 24 hours and then signs out all sessions; a right number in any session, or a new account password by mail, cancels it.',
  body: z.strictObject({ password: z.string().min(1).max(1024) }),
  example: { body: { password: exampleValues.password } },
  responses: {
    200: done.extend({
      dueAt: timestamp.optional().describe('When it will be carried out; absent when it was.'),
    }),
  },
  errors: ['wrong_credentials', 'too_many_requests'],
  rate: ownersRate,
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
