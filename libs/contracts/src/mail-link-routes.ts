import { z } from 'zod'
import { exampleValues } from './example-values.ts'
import { email, password } from './account-fields.ts'
import { defineRoute } from './route.ts'

/**
 * The link of a mail contains this token. The schema accepts malformed tokens, so that they are refused like unknown
 * ones.
 */
const token = z.string().min(1).max(256).describe('256 random bits; only a hash of them is stored.')
const told = z.object({ message: z.string().describe('A sentence for a person.') })
/** With `counts: 'link_invalid'` only wrong tokens count. */
const perAddress = { points: 20, seconds: 600 } as const

export const verifyEmail = defineRoute({
  method: 'POST',
  path: '/api/email/verify',
  service: 'auth',
  access: 'public',
  summary:
    'Verifies the e-mail address that the token was sent to; after a change of address, it replaces the former one. A token works within 24 hours, also after another to the same address. A used one gives the same answer while the account has the address. The first account that proves an address has it; links of others to it are then refused as expired ones.',
  body: z.strictObject({ token }),
  example: { body: { token: exampleValues.token } },
  responses: { 200: told },
  errors: ['link_invalid'],
  rate: { perAddress, counts: 'link_invalid' },
})

export const resendVerification = defineRoute({
  method: 'POST',
  path: '/api/email/resend-verification',
  service: 'auth',
  access: 'session',
  summary:
    'Sends another verification mail. Five an hour: beyond them, and for a verified address, the answer is the same and nothing is sent.',
  responses: { 200: told },
  errors: [],
  rate: { perPerson: { points: 30, seconds: 600 } },
})

export const requestPasswordReset = defineRoute({
  method: 'POST',
  path: '/api/password/request-reset',
  service: 'auth',
  access: 'public',
  summary:
    'Sends a link to choose a new password, five an hour at most: to the account that has proven the address, or else to the oldest three that claim it. The answer and its time are the same for every address, whether it has an account or not.',
  body: z.strictObject({ email }),
  example: { body: { email: exampleValues.email } },
  responses: { 200: told },
  errors: [],
  rate: { perAddress },
})

export const resetPassword = defineRoute({
  method: 'POST',
  path: '/api/password/reset',
  service: 'auth',
  access: 'public',
  summary:
    'Sets a new account password and ends all sessions of the account. A token works once, within 30 minutes, and ends the others. It also verifies the e-mail address that it was sent to.',
  body: z.strictObject({ token, newPassword: password }),
  example: { body: { token: exampleValues.token, newPassword: exampleValues.password } },
  responses: { 200: told },
  errors: ['link_invalid', 'too_many_requests'],
  rate: { perAddress, counts: 'link_invalid' },
})
