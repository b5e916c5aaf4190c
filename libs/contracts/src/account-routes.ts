import { z } from 'zod'
import { exampleValues } from './example-values.ts'
import { email, fullName, phone } from './account-fields.ts'
import { limits } from './limits.ts'
import { defineRoute, ownersRate } from './route.ts'

const stepUp = { password: z.string().min(1).max(1024) }
const done = z.object({ ok: z.literal(true) })
const rate = ownersRate

export const changeFullName = defineRoute({
  method: 'POST',
  path: '/api/account/full-name',
  service: 'auth',
  access: 'step-up',
  summary: 'Changes the full name.',
  body: z.strictObject({ ...stepUp, fullName }),
  example: { body: { password: exampleValues.password, fullName: 'Ada King' } },
  responses: { 200: done },
  errors: ['wrong_credentials', 'too_many_requests'],
  rate,
})

export const changeEmail = defineRoute({
  method: 'POST',
  path: '/api/account/email',
  service: 'auth',
  access: 'step-up',
  summary:
    'Sends a link to a new e-mail address, which replaces the present one when the link is opened within 24 hours. Five an hour: beyond them, the answer is the same and nothing is sent. So it is when another account has proven the address; its owner is told, once a day.',
  body: z.strictObject({ ...stepUp, email }),
  example: { body: { password: exampleValues.password, email: exampleValues.email } },
  responses: { 200: done },
  errors: ['wrong_credentials', 'too_many_requests'],
  rate,
})

export const changePhone = defineRoute({
  method: 'POST',
  path: '/api/account/phone',
  service: 'auth',
  access: 'step-up',
  summary: 'Changes the phone number to one that this browser verified with a code a moment ago.',
  body: z.strictObject({ ...stepUp, phone }),
  example: { body: { password: exampleValues.password, phone: exampleValues.phone } },
  responses: { 200: done },
  errors: ['wrong_credentials', 'phone_not_verified', 'too_many_requests'],
  rate,
})

export const confirmPassword = defineRoute({
  method: 'POST',
  path: '/api/confirm-password',
  service: 'auth',
  access: 'step-up',
  summary: `Lets this session of an administrator act for ${limits.passwordCountsMinutes} minutes.`,
  body: z.strictObject(stepUp),
  example: { body: { password: exampleValues.password } },
  responses: { 200: done },
  errors: ['wrong_credentials', 'too_many_requests'],
  rate,
})

export const deleteAccount = defineRoute({
  method: 'POST',
  path: '/api/delete-account',
  service: 'auth',
  access: 'session',
  summary:
    'Schedules the deletion of the account in 14 days and signs it out everywhere; in a session in which the right number was never given, not where it was: those are locked. Until then a sign-in, or one of those, can keep it.',
  body: z.strictObject(stepUp),
  example: { body: { password: exampleValues.password } },
  responses: { 200: done },
  errors: ['wrong_credentials', 'too_many_requests'],
  rate,
})

export const keepAccount = defineRoute({
  method: 'POST',
  path: '/api/keep-account',
  service: 'auth',
  access: 'session',
  summary: 'Cancels a scheduled deletion of the account.',
  responses: { 200: done },
  errors: [],
  rate,
})
