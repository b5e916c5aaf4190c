import type { z } from 'zod'
import { errorBody, errorCatalogue } from '../errors.ts'
import { bodyKindOf, bodyMaxBytesOf, byteStream } from '../route-body.ts'
import { defaultDeadlineMs } from '../route.ts'
import type { Access, RouteContract } from '../route.ts'
import { errorsByStatus } from './errors-by-status.ts'
import type { JsonSchema, SchemaCollector } from './schema-collector.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  example?: string
  schema: JsonSchema
}

interface JsonContent {
  'application/json': { schema: JsonSchema; example?: unknown }
}

interface RawContent {
  'application/octet-stream': { schema: JsonSchema }
}

const bytes: RawContent = { 'application/octet-stream': { schema: {} } }

export interface Response {
  description: string
  content: JsonContent | RawContent
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, never[]>[]
  parameters?: Parameter[]
  requestBody?: { required: true; content: JsonContent | RawContent; 'x-max-bytes': number }
  responses: Record<string, Response>
  /** The answer must begin within this time. */
  'x-deadline-ms': number
}

const accessSentence: Record<Access, string> = {
  public: 'No session needed.',
  session: 'Needs a signed-in session, which may be locked.',
  unlocked: 'Needs an unlocked session.',
  admin:
    'Needs the unlocked session of an administrator, and the account password given in it within 15 minutes.',
  'step-up': 'Needs the account password, and an unlocked session once a numeric password is set.',
  webhook: 'Needs a signature instead of a session and a CSRF token.',
}

/** Returns the OpenAPI operation of a route. */
export function toOperation(name: string, route: RouteContract, schemas: SchemaCollector): Operation {
  const parameters = [
    ...toParameters('path', route.params, schemas, route.example?.params),
    ...toParameters('query', route.query, schemas, route.example?.query),
    ...toHeader(
      route.replicaHeader,
      'Requests with the same value prefer the same replica. It decides nothing else.',
    ),
  ]
  return {
    operationId: name,
    summary: route.summary,
    description: accessSentence[route.access],
    tags: [route.service],
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: toRequestBody(route, route.body, schemas) }),
    responses: { ...successResponses(route, schemas), ...errorResponses(route, schemas) },
    'x-deadline-ms': route.deadlineMs ?? defaultDeadlineMs,
  }
}

function toRequestBody(
  route: RouteContract,
  body: z.ZodType,
  schemas: SchemaCollector,
): NonNullable<Operation['requestBody']> {
  const stated = { required: true as const, 'x-max-bytes': bodyMaxBytesOf(route) }
  if (bodyKindOf(route) !== 'json') return { ...stated, content: bytes }
  const schema = schemas.schemaOf(body, 'input')
  return { ...stated, content: { 'application/json': { schema, example: route.example?.body } } }
}

function toParameters(
  location: Parameter['in'],
  object: z.ZodObject | undefined,
  schemas: SchemaCollector,
  examples: Readonly<Record<string, string>> = {},
): Parameter[] {
  if (!object) return []
  const { properties, required = [] } = schemas.schemaOf(object, 'input') as {
    properties: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    const example = examples[name]
    return {
      name,
      in: location,
      required: required.includes(name),
      ...(typeof description === 'string' && { description }),
      ...(example !== undefined && { example }),
      schema,
    }
  })
}

const toHeader = (name: string | undefined, description: string): Parameter[] =>
  name === undefined
    ? []
    : [{ name, in: 'header', required: false, description, schema: { type: 'string', maxLength: 64 } }]

function successResponses(route: RouteContract, schemas: SchemaCollector): Record<string, Response> {
  const responses = Object.entries(route.responses).map(([status, schema]): [string, Response] => {
    const description = status === '201' ? 'Created.' : 'Success.'
    if (schema === byteStream) return [status, { description, content: bytes }]
    return [
      status,
      { description, content: { 'application/json': { schema: schemas.schemaOf(schema, 'output') } } },
    ]
  })
  return Object.fromEntries(responses)
}

function errorResponses(route: RouteContract, schemas: SchemaCollector): Record<string, Response> {
  const error = schemas.schemaOf(errorBody, 'output')
  const responses = [...errorsByStatus(route)].map(([status, codes]): [number, Response] => {
    const description = codes.map((code) => `\`${code}\`: ${errorCatalogue[code].meaning}`).join('\n\n')
    const schema = { ...error, properties: { code: { enum: [...codes] } } }
    return [status, { description, content: { 'application/json': { schema } } }]
  })
  return Object.fromEntries(responses)
}

function securityOf({ method, access, isSignedAddress }: RouteContract): Record<string, never[]>[] {
  if (access === 'webhook') return []
  const session = access === 'public' ? {} : { session: [] }
  const csrf = method === 'GET' || isSignedAddress ? {} : { csrfToken: [], csrfCookie: [] }
  const needed = { ...session, ...csrf }
  return Object.keys(needed).length > 0 ? [needed] : []
}
