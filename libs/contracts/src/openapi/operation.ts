import type { z } from 'zod'
import { errorCatalogue } from '../error-catalogue.ts'
import { errorBody } from '../errors.ts'
import type { Access, RouteContract } from '../route.ts'
import { refusalsOf } from './refusals.ts'
import type { JsonSchema, SchemaCollector } from './schema-collector.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  description?: string
  schema: JsonSchema
}

export interface Answer {
  description: string
  content: { 'application/json': { schema: JsonSchema } }
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, never[]>[]
  parameters?: Parameter[]
  requestBody?: { required: true; content: Answer['content'] }
  responses: Record<string, Answer>
}

const accessSentence: Record<Access, string> = {
  public: 'Anyone may call this.',
  session: 'Needs somebody signed in; the session may be locked.',
  unlocked: 'Needs a session that is unlocked.',
  admin: 'Needs an administrator.',
}

/** How a route looks in the paths of an OpenAPI document. */
export function toOperation(name: string, route: RouteContract, schemas: SchemaCollector): Operation {
  const parameters = [
    ...toParameters('path', route.params, schemas),
    ...toParameters('query', route.query, schemas),
  ]
  const json = (schema: JsonSchema) => ({ 'application/json': { schema } })
  return {
    operationId: name,
    summary: route.summary,
    description: accessSentence[route.access],
    tags: [route.service],
    security: securityOf(route),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body
      ? { requestBody: { required: true as const, content: json(schemas.schemaOf(route.body, 'input')) } }
      : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.responses).map(([status, schema]) => [
          status,
          {
            description: status === '201' ? 'Created.' : 'Done.',
            content: json(schemas.schemaOf(schema, 'output')),
          },
        ]),
      ),
      ...refusedAnswers(route, schemas),
    },
  }
}

function toParameters(
  place: Parameter['in'],
  object: z.ZodObject | undefined,
  schemas: SchemaCollector,
): Parameter[] {
  if (!object) return []
  const { properties, required = [] } = schemas.schemaOf(object, 'input') as {
    properties: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(typeof description === 'string' ? { description } : {}),
    schema,
  }))
}

function refusedAnswers(route: RouteContract, schemas: SchemaCollector): Record<string, Answer> {
  const error = schemas.schemaOf(errorBody, 'output')
  return Object.fromEntries(
    [...refusalsOf(route)].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].meaning}`).join('\n\n'),
        content: {
          'application/json': { schema: { ...error, properties: { code: { enum: [...codes] } } } },
        },
      },
    ]),
  )
}

function securityOf({ method, access }: RouteContract): Record<string, never[]>[] {
  const session = access === 'public' ? {} : { session: [] }
  const csrf = method === 'GET' ? {} : { csrfToken: [], csrfCookie: [] }
  const needed = { ...session, ...csrf }
  return Object.keys(needed).length > 0 ? [needed] : []
}
