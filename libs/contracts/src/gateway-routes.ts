import { z } from 'zod'
import { defineRoute } from './route.ts'

export const getCsrfToken = defineRoute({
  method: 'GET',
  path: '/api/csrf-token',
  service: 'gateway',
  access: 'public',
  summary: 'A token bound to this session (or pre-session) for the x-csrf-token header.',
  responses: { 200: z.object({ csrfToken: z.string() }) },
  errors: [],
  // Without a token there is no lock and no logout.
  rate: { flood: 'session' },
})

export const gatewayRoutes = { getCsrfToken }
