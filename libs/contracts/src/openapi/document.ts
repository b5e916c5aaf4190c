import { allRoutes } from '../all-routes.ts'
import { csrfCookie, sessionCookie } from '../cookies.ts'
import type { RouteContract } from '../route.ts'
import { toOperation } from './operation.ts'
import type { Operation } from './operation.ts'
import { createSchemaCollector } from './schema-collector.ts'
import type { JsonSchema } from './schema-collector.ts'

export interface OpenApiDocument {
  openapi: '3.1.1'
  info: { title: string; version: string; description: string }
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    securitySchemes: Record<string, { type: 'apiKey'; in: string; name: string; description: string }>
    schemas: Record<string, JsonSchema>
  }
}

const tags = [
  { name: 'gateway', description: 'Routes that the gateway answers itself.' },
  { name: 'auth', description: 'Accounts, sessions, phone verification, the numeric password and the lock.' },
  { name: 'messaging', description: 'Conversations, messages and the daily free message.' },
  { name: 'billing', description: 'Premium: an append-only ledger of grants.' },
  { name: 'notify', description: 'Which mails a person wants.' },
]

const securitySchemes = {
  session: {
    type: 'apiKey' as const,
    in: 'cookie',
    name: sessionCookie(false),
    description: `Opaque and HttpOnly, set by login and register. Over HTTPS it is named \`${sessionCookie(true)}\`.`,
  },
  csrfToken: {
    type: 'apiKey' as const,
    in: 'header',
    name: 'x-csrf-token',
    description: 'The answer of `GET /api/csrf-token` for this session. Every method but GET needs it.',
  },
  csrfCookie: {
    type: 'apiKey' as const,
    in: 'cookie',
    name: csrfCookie(false),
    description: `The cookie half of the token, set together with it. Over HTTPS it is named \`${csrfCookie(true)}\`.`,
  },
}

/** Returns the OpenAPI 3.1 document of all public routes. The same contracts always make the same document. */
export function openApiDocument(): OpenApiDocument {
  const schemas = createSchemaCollector()
  const paths: OpenApiDocument['paths'] = {}
  for (const [name, route] of Object.entries<RouteContract>(allRoutes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(name, route, schemas) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sumlock',
      version: '1',
      description:
        'The public HTTP API of the gateway. Any other path answers 404. Socket messages and events are in `events.md`.',
    },
    servers: [{ url: '/', description: 'The gateway.' }],
    tags,
    paths,
    components: { securitySchemes, schemas: schemas.components() },
  }
}
