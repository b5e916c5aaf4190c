import { z } from 'zod'
import { exampleValues } from './example-values.ts'
import { defineRoute } from './route.ts'
import { base64Url } from './sealed.ts'

/** The client records the accepted key of a partner. The server can neither read nor change what is inside. */
const box = base64Url('39,683').describe('The sealed record, 29 to 512 bytes in base64url.')

const params = z.object({
  name: base64Url('43').describe('An HMAC of the conversation, made by the client: it reveals nothing.'),
})

export const getKnownKey = defineRoute({
  method: 'GET',
  path: '/api/known-keys/:name',
  service: 'auth',
  access: 'unlocked',
  summary: 'The caller’s sealed record of a partner’s known key. Version 0 without a box when there is none.',
  params,
  example: { params: { name: exampleValues.knownKeyName } },
  responses: { 200: z.object({ version: z.number().int().min(0), box: box.nullable() }) },
  errors: [],
  rate: { perSession: { points: 300, seconds: 60 } },
})

export const putKnownKey = defineRoute({
  method: 'PUT',
  path: '/api/known-keys/:name',
  service: 'auth',
  access: 'unlocked',
  summary:
    'Stores the next version of the caller’s sealed record of a partner’s known key. Repeated with the same box, it changes nothing.',
  params,
  body: z.strictObject({
    version: z.number().int().min(1).describe('The stored version plus 1; 1 for the first.'),
    box,
  }),
  example: {
    params: { name: exampleValues.knownKeyName },
    body: { version: 1, box: exampleValues.knownKeyBox },
  },
  responses: { 200: z.object({ ok: z.literal(true) }) },
  errors: ['known_key_conflict', 'too_many_known_keys'],
  rate: { perSession: { points: 120, seconds: 60 } },
})
