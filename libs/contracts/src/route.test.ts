import { z } from 'zod'
import { createSchemaCollector } from './openapi/schema-collector.ts'
import { toOperation } from './openapi/operation.ts'
import { defineRoute } from './route.ts'
import type { RouteContract } from './route.ts'
import { rawBody } from './route-body.ts'

const plain: RouteContract = {
  method: 'POST',
  path: '/api/hooks/payments',
  service: 'billing',
  access: 'session',
  summary: 'A payment was made.',
  responses: { 200: z.object({}) },
  errors: [],
}
const webhook = { ...plain, access: 'webhook', signatureHeader: 'payments-signature' } as const

it.each([
  ['a deadline beyond 10 s', { ...plain, deadlineMs: 10_001 }],
  ['a deadline of nothing', { ...plain, deadlineMs: 0 }],
  ['a body beyond 1 MB', { ...plain, bodyMaxBytes: 1024 * 1024 + 1 }],
  ['a webhook without the header of its signature', { ...webhook, signatureHeader: undefined as never }],
  ['a signature on a route that is no webhook', { ...plain, signatureHeader: 'payments-signature' }],
])('a contract is refused for %s', (_fault, route) => {
  expect(() => defineRoute(route)).toThrow('/api/hooks/payments')
})

it('OpenAPI states the deadline, body and access of a webhook, and errors of neither session, CSRF token nor JSON', () => {
  const route = defineRoute({ ...webhook, body: rawBody, bodyMaxBytes: 100_000, deadlineMs: 10_000 })
  const operation = toOperation('payments', route, createSchemaCollector())
  expect(operation).toMatchObject({
    description: 'Needs a signature instead of a session and a CSRF token.',
    security: [],
    requestBody: { 'x-max-bytes': 100_000, content: { 'application/octet-stream': {} } },
    'x-deadline-ms': 10_000,
  })
  expect(Object.keys(operation.responses).sort()).toEqual(['200', '400', '408', '413', '429', '500', '503'])
})

it('OpenAPI states two seconds and 64 kB of JSON for a route that states neither', () => {
  const operation = toOperation('plain', { ...plain, body: z.object({}) }, createSchemaCollector())
  expect(operation).toMatchObject({
    requestBody: { 'x-max-bytes': 65_536, content: { 'application/json': {} } },
    'x-deadline-ms': 2000,
  })
})
