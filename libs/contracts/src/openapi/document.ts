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
  { name: 'gateway', description: 'What the public door answers itself.' },
  { name: 'auth', description: 'Accounts, sessions, proofs, the numeric password and the lock.' },
  { name: 'messaging', description: 'Conversations, messages and the free message of the day.' },
  { name: 'billing', description: 'Premium: an append-only ledger of what was granted.' },
]

const securitySchemes = {
  session: {
    type: 'apiKey' as const,
    in: 'cookie',
    name: sessionCookie(false),
    description: `Opaque and HttpOnly, set by login and register. Over HTTPS its name is \`${sessionCookie(true)}\`.`,
  },
  csrfToken: {
    type: 'apiKey' as const,
    in: 'header',
    name: 'x-csrf-token',
    description: 'What `GET /api/csrf-token` answered for this session. Everything but GET needs it.',
  },
  csrfCookie: {
    type: 'apiKey' as const,
    in: 'cookie',
    name: csrfCookie(false),
    description: `The other half of the token, set together with it. Over HTTPS: \`${csrfCookie(true)}\`.`,
  },
}

/** The OpenAPI 3.1 document of every public route, made from the contracts. Always the same for the same contracts. */
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
        'Everything a browser can ask the gateway for. Sockets and events are in `events.md`. Whatever is not named here answers 404.',
    },
    servers: [{ url: '/', description: 'The gateway.' }],
    tags,
    paths,
    components: { securitySchemes, schemas: schemas.components() },
  }
}
