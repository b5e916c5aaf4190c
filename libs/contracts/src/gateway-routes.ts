import { z } from 'zod'
import { defineRoute } from './route.ts'

export const getCsrfToken = defineRoute({
  method: 'GET',
  path: '/api/csrf-token',
  service: 'gateway',
  access: 'public',
  summary: 'A token for the `x-csrf-token` header, bound to this session (or pre-session).',
  responses: { 200: z.object({ csrfToken: z.string() }) },
  errors: [],
  // Lock and logout need a token, so other requests of the person must not use up the limit for fetching one.
  rate: { flood: 'session' },
})
