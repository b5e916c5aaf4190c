import { allEvents } from '@sumlock/contracts/all-events'
import { allRoutes } from '@sumlock/contracts/all-routes'
import { errorCodes, statusOfKind } from '@sumlock/contracts/errors'
import { errorCatalogue } from '@sumlock/contracts/error-catalogue'
import type { RouteContract } from '@sumlock/contracts/route'
import { openApiDocument } from '@sumlock/contracts/openapi/document'
import { createSchemaCollector } from '@sumlock/contracts/openapi/schema-collector'
import { serverEvent } from '@sumlock/contracts/socket'
import { Validator } from '@seriousme/openapi-schema-validator'
import { z } from 'zod'
import { eventCatalogue } from './api-docs/event-catalogue.ts'
import { keyOf } from './api-docs/key-of.ts'

const routes = Object.entries<RouteContract>(allRoutes)
const document = openApiDocument()
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

describe('the OpenAPI document', () => {
  it('keeps to the rules of OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document) as never)
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  })

  it('names every public route once', () => {
    const documented = operations.map(
      ({ path, method, operation }) => `${operation.operationId}: ${method.toUpperCase()} ${path}`,
    )
    const expected = routes.map(
      ([name, { method, path }]) => `${name}: ${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
    )
    expect(documented.sort()).toEqual(expected.sort())
  })

  it('refers only to what it holds, and holds only what it refers to', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
    const names = [...new Set(references.map(([, name]) => name))]
    expect(names.sort()).toEqual(Object.keys(document.components.schemas))
    expect(JSON.stringify(document)).not.toContain('$defs')
  })

  it.each(routes)(
    '%s: declares every success, every refusal of its own, and every path parameter',
    (name, route) => {
      const { operation, path } = operations.find((entry) => entry.operation.operationId === name) ?? {}
      const codesOf = (status: number) => {
        const schema = operation?.responses[status]?.content['application/json'].schema
        return (schema?.['properties'] as { code?: { enum: string[] } } | undefined)?.code?.enum ?? []
      }
      for (const status of Object.keys(route.responses)) expect(operation?.responses).toHaveProperty(status)
      for (const code of route.errors) {
        expect(codesOf(statusOfKind[errorCatalogue[code].kind])).toContain(code)
      }
      expect(codesOf(401)).toEqual(route.access === 'public' ? [] : ['no_session'])
      const mayBeLocked = route.access === 'unlocked' || route.errors.includes('locked')
      expect(codesOf(423)).toEqual(mayBeLocked ? ['locked'] : [])
      expect(codesOf(403).includes('csrf_failed')).toBe(route.method !== 'GET')
      const declared = operation?.parameters?.filter(
        (parameter) => parameter.in === 'path' && parameter.required,
      )
      expect(declared?.map((parameter) => parameter.name) ?? []).toEqual(
        [...(path ?? '').matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter),
      )
      expect(operation?.requestBody === undefined).toBe(route.body === undefined)
    },
  )

  it('explains every code somewhere', () => {
    const text = JSON.stringify(operations.map(({ operation }) => operation.responses))
    expect(errorCodes.filter((code) => !text.includes(`\`${code}\``))).toEqual([])
  })

  it('refuses one name for what is sent in one shape and answered in another', () => {
    const schemas = createSchemaCollector()
    const twoFaced = z.object({ size: z.number().default(1) }).meta({ id: 'TwoFaced' })
    schemas.schemaOf(twoFaced, 'input')
    expect(() => schemas.schemaOf(twoFaced, 'output')).toThrow('TwoFaced')
  })
})

describe('the event catalogue', () => {
  it('tells of every event with its key, and of every socket message', async () => {
    const page = await eventCatalogue()
    for (const event of Object.values(allEvents)) {
      const section = page.split(`### \`${event.type}\``)[1]?.split('\n### ')[0]
      expect(section).toContain(`Topic: \`${event.topic}\`, key \`${keyOf(event)}\``)
    }
    for (const option of serverEvent.options) expect(page).toContain(`#### \`${option.shape.type.value}\``)
  })

  it('finds out who says and who hears an event', async () => {
    const section = (await eventCatalogue()).split('### `messaging.message-sent.v1`')[1]
    expect(section).toMatch(/Said by: messaging\n- Heard by: realtime\n/)
  })

  it('reads the key from where the event takes it', () => {
    expect(keyOf(allEvents.messageSent)).toBe('message.conversationId')
  })
})
