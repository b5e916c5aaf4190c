import { z } from 'zod'
import { exampleValues } from './example-values.ts'
import { id, timestamp } from './primitives.ts'
import { defineRoute, ownersRate } from './route.ts'

export const listedSession = z.object({
  id,
  device: z.string().describe('Browser and system in a few words.'),
  addressFamily: z.enum(['IPv4', 'IPv6']),
  signedInAt: timestamp,
  lastSeenAt: timestamp.describe('At most a minute older than the last request.'),
  isCurrent: z.boolean().describe('The session that asks.'),
})

export const listSessions = defineRoute({
  method: 'GET',
  path: '/api/sessions',
  service: 'auth',
  access: 'session',
  summary: 'The live sessions of the account, the one seen last first. Requires a step-up.',
  responses: { 200: z.array(listedSession) },
  errors: ['step_up_required'],
  rate: { flood: 'session' },
})

export const endSession = defineRoute({
  method: 'POST',
  path: '/api/sessions/:sessionId/end',
  service: 'auth',
  access: 'session',
  summary:
    'Signs out one session of the account. Requires the account password, and that the right number was given in this session if it was given in that one.',
  params: z.object({ sessionId: id }),
  body: z.strictObject({ password: z.string().min(1).max(1024) }),
  example: { params: { sessionId: exampleValues.sessionId }, body: { password: exampleValues.password } },
  responses: { 200: z.object({ ok: z.literal(true) }) },
  errors: ['wrong_credentials', 'number_not_given', 'not_found', 'too_many_requests'],
  rate: ownersRate,
})

export type SessionView = z.infer<typeof listedSession>
