import { byteStream, rawBody } from '@sumlock/contracts/route-body'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allEvents } from '@sumlock/contracts/all-events'
import { allRoutes } from '@sumlock/contracts/all-routes'
import { errorCatalogue, errorCodes, statusOfKind } from '@sumlock/contracts/errors'
import type { RouteContract } from '@sumlock/contracts/route'
import { openApiDocument } from '@sumlock/contracts/openapi/document'
import { createSchemaCollector } from '@sumlock/contracts/openapi/schema-collector'
import { serverEvent } from '@sumlock/contracts/socket'
import { repoRoot } from '@sumlock/dev/config'
import { Validator } from '@seriousme/openapi-schema-validator'
import { z } from 'zod'
import { eventCatalogue, keyOf } from './api-docs/event-catalogue.ts'

const routes = Object.entries<RouteContract>(allRoutes)
const document = openApiDocument()
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
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

  it('refers to each of its schemas, and to no other', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
    const names = [...new Set(references.map(([, name]) => name))]
    expect(names.sort()).toEqual(Object.keys(document.components.schemas))
    expect(JSON.stringify(document)).not.toContain('$defs')
  })

  it.each(routes)(
    '%s declares its success statuses, its error codes and its path parameters',
    (name, route) => {
      const { operation, path } = operations.find((entry) => entry.operation.operationId === name) ?? {}
      const codesOf = (status: number) => {
        const content = operation?.responses[status]?.content
        const schema = content && 'application/json' in content && content['application/json'].schema
        return ((schema || {})['properties'] as { code?: { enum: string[] } } | undefined)?.code?.enum ?? []
      }
      for (const status of Object.keys(route.responses)) expect(operation?.responses).toHaveProperty(status)
      for (const code of route.errors) {
        expect(codesOf(statusOfKind[errorCatalogue[code].kind])).toContain(code)
      }
      expect(operation?.['x-deadline-ms']).toBe(route.deadlineMs ?? 2000)
      expect(operation?.requestBody?.['x-max-bytes']).toBe(route.body && (route.bodyMaxBytes ?? 65_536))
      const isWebhook = route.access === 'webhook'
      expect(codesOf(401)).toEqual(route.access === 'public' || isWebhook ? [] : ['no_session'])
      const needsUnlock = ['unlocked', 'step-up', 'admin'].includes(route.access)
      const mayBeLocked = needsUnlock || route.errors.includes('locked')
      expect(codesOf(423)).toEqual(mayBeLocked ? ['locked'] : [])
      expect(codesOf(403).includes('csrf_failed')).toBe(
        route.method !== 'GET' && !isWebhook && !route.isSignedAddress,
      )
      const declared = operation?.parameters?.filter(
        (parameter) => parameter.in === 'path' && parameter.required,
      )
      expect(declared?.map((parameter) => parameter.name) ?? []).toEqual(
        [...(path ?? '').matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter),
      )
      expect(operation?.requestBody === undefined).toBe(route.body === undefined)
    },
  )

  it.each(routes)('%s has an example that its contract accepts', (_, { params, query, body, example }) => {
    expect(query?.safeParse(example?.query ?? {}).error).toBeUndefined()
    expect(params?.safeParse(example?.params).error).toBeUndefined()
    // Bytes have no example.
    if (body !== rawBody && body !== byteStream) expect(body?.safeParse(example?.body).error).toBeUndefined()
  })

  it('explains every error code', () => {
    const text = JSON.stringify(operations.map(({ operation }) => operation.responses))
    expect(errorCodes.filter((code) => !text.includes(`\`${code}\``))).toEqual([])
  })

  it('refuses a schema name that differs between requests and responses', () => {
    const schemas = createSchemaCollector()
    const twoFaced = z.object({ size: z.number().default(1) }).meta({ id: 'TwoFaced' })
    schemas.schemaOf(twoFaced, 'input')
    expect(() => schemas.schemaOf(twoFaced, 'output')).toThrow('TwoFaced')
  })
})

describe('the lists of contracts', () => {
  it('contain every export of a contract file that is defined as a route or an event', async () => {
    const folder = join(repoRoot, 'libs/contracts/src')
    const files = (await readdir(folder)).filter((name) => /-(routes|events)\.ts$/.test(name))
    const sources = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
    const defined = [...sources.join('\n').matchAll(/^export const (\w+) = define(?:Route|Event)\(/gm)]
    expect(defined.map(([, name]) => name).sort()).toEqual(
      [...Object.keys(allRoutes), ...Object.keys(allEvents)].sort(),
    )
  })
})

describe('the event catalogue', () => {
  it('lists every event with its key, and every socket message', () => {
    const page = eventCatalogue()
    for (const event of Object.values(allEvents)) {
      const section = page.split(`### \`${event.type}\``)[1]?.split('\n### ')[0]
      expect(section).toContain(`Topic: \`${event.topic}\`, key \`${keyOf(event)}\``)
    }
    for (const option of serverEvent.options) expect(page).toContain(`#### \`${option.shape.type.value}\``)
  })

  it('finds the services that publish and consume an event', () => {
    const section = eventCatalogue().split('### `messaging.message-sent.v1`')[1]
    expect(section).toMatch(/Published by: messaging\n- Consumed by: realtime\n/)
  })

  it('names the field that is the key of an event', () => {
    expect(keyOf(allEvents.messageSent)).toBe('message.conversationId')
  })
})
