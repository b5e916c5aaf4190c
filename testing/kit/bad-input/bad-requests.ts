import type { ExampleValues } from '@sumlock/contracts/example-values'
import { bodyKindOf } from '@sumlock/contracts/route-body'
import type { Method, RouteContract } from '@sumlock/contracts/route'
import { exampleCall } from '../example-calls.ts'
import { badBodies, unexpectedBodies } from './bad-bodies.ts'
import { badParams, badQueries, otherSpellings } from './bad-addresses.ts'
import type { AddressCase } from './bad-addresses.ts'
import { spoofedIdentities, tamperedCookies, wrongTokens } from './false-identities.ts'

export interface BadRequest {
  readonly name: string
  /** `refused`: must be answered with 4xx. `harmless`: must be answered below 500 and store nothing. */
  readonly expects: 'refused' | 'harmless'
  /** The part that differs from the good request. */
  readonly badPart: BadPart
  /** Whether it is made from a field of this route, and not from parts that all routes share. */
  readonly ofField: boolean
  readonly method: string
  readonly target: string
  readonly body?: string | Buffer | undefined
  /** Replace the headers of a good request, or (null) remove them. */
  readonly headers?: Readonly<Record<string, string | string[] | null>>
  /** Makes the session cookie from the real one; null for no cookie. */
  readonly sid?: (real: string) => string | null
}

export type BadPart = 'body' | 'target' | 'method' | 'headers' | 'sid'

/** The changes that turn a good request into a bad one. */
export type Difference = Pick<BadRequest, 'name'> & Partial<BadRequest>

export interface RouteCases {
  /** The example of the route. Each bad request differs from it in one part. */
  readonly good: BadRequest
  readonly bad: readonly BadRequest[]
  /** Unusual, but allowed by the contract: these may change what the route changes. */
  readonly odd: readonly BadRequest[]
}

interface Product {
  readonly values: Partial<ExampleValues>
  /** Every public route, because a method that another route takes at the path is no wrong one. */
  readonly routes: readonly RouteContract[]
  /** A credential between services, which must not work from outside. */
  readonly gatewaySecret: string
}

/** Derives all bad requests of a route from its contract and its example. */
export function badRequests(route: RouteContract, { values, routes, gatewaySecret }: Product): RouteCases {
  const { path, search, body } = exampleCall(route, values)
  const query = new URLSearchParams(search)
  const searched = (cases: readonly AddressCase[]) =>
    cases.map(({ name, target }) => ({ name, target: target + search }))
  const good: BadRequest = {
    name: 'good',
    expects: 'harmless',
    badPart: 'body',
    ofField: false,
    method: route.method,
    target: path + search,
    body: body && JSON.stringify(body),
  }
  const refused = (badPart: BadPart, differences: readonly Difference[], ofField = false): BadRequest[] =>
    differences.map((difference) => ({ ...good, expects: 'refused', badPart, ofField, ...difference }))
  // Any bytes may be streamed.
  const unexpected = bodyKindOf(route) === 'stream' ? [] : unexpectedBodies
  const bodies =
    route.body && body ? badBodies(route.body, body, route.bodyMaxBytes) : { refused: unexpected, odd: [] }
  const isWebhook = route.access === 'webhook'
  const isPublic = route.access === 'public' || isWebhook
  const bad = [
    ...refused('body', bodies.refused, isWebhook),
    ...refused('target', searched(badParams(route.path, route.example?.params ?? {})), true),
    ...refused('target', route.query ? badQueries(path, route.query, query) : [], true),
    ...refused('target', searched(otherSpellings(path))),
    ...refused('method', wrongMethods(route, routes)),
    ...overriddenMethods(good),
    ...refused('sid', isPublic ? [] : [...spoofedIdentities(gatewaySecret), ...tamperedCookies]),
    ...refused('headers', route.method === 'GET' || isWebhook || route.isSignedAddress ? [] : wrongTokens),
  ]
  return { good, bad, odd: bodies.odd.map((odd) => ({ ...good, ...odd })) }
}

const allMethods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE']

const overrides = (method: Method) => ({
  'x-http-method-override': method,
  'x-http-method': method,
  'x-method-override': method,
})

/** Whether a route takes requests at `path`, perhaps only to refuse a parameter: `/a/:id` takes `/a/new`. */
function takes(route: RouteContract, path: string): boolean {
  const segments = path.split('/')
  const pattern = route.path.split('/')
  return (
    pattern.length === segments.length &&
    pattern.every((part, at) => part.startsWith(':') || part === segments[at])
  )
}

/** Methods that the path does not have, although a header names the right one. */
function wrongMethods({ path, method }: RouteContract, routes: readonly RouteContract[]): Difference[] {
  const known = new Set<string>(routes.filter((route) => takes(route, path)).map((route) => route.method))
  return allMethods
    .filter((wrong) => !known.has(wrong))
    .map((wrong) => ({ name: `method ${wrong} for ${method}`, method: wrong, headers: overrides(method) }))
}

/** Reads that ask to be treated as a change. */
function overriddenMethods(good: BadRequest): BadRequest[] {
  if (good.method !== 'GET') return []
  return (['POST', 'PUT', 'DELETE'] as const).map((method) => ({
    ...good,
    name: `${method} by override`,
    target: `${good.target}${good.target.includes('?') ? '&' : '?'}_method=${method}`,
    headers: overrides(method),
  }))
}
