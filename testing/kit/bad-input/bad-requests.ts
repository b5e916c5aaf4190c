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
  /** `refused` requests must be answered with 4xx; `harmless` ones must be answered below 500 and store nothing. */
  readonly expects: 'refused' | 'harmless'
  /** Only this part differs from the good request. */
  readonly badPart: BadPart
  /** True if the request was made from a field of this route; false if every route has such a request. */
  readonly ofField: boolean
  readonly method: string
  readonly target: string
  readonly body?: string | Buffer | undefined
  /** These replace headers of the good request; null removes a header. */
  readonly headers?: Readonly<Record<string, string | string[] | null>>
  /** Makes the session cookie from the real one; null means no cookie. */
  readonly sid?: (real: string) => string | null
}

export type BadPart = 'body' | 'target' | 'method' | 'headers' | 'sid'

/** These changes turn a good request into a bad one. */
export type Difference = Pick<BadRequest, 'name'> & Partial<BadRequest>

export interface RouteCases {
  /** This is the example call of the route, from which each bad request differs in one part. */
  readonly good: BadRequest
  readonly bad: readonly BadRequest[]
  /** The contract allows these unusual requests, so they may change what the route changes. */
  readonly odd: readonly BadRequest[]
}

interface Product {
  readonly values: Partial<ExampleValues>
  /** All public routes are needed, because a method that another route takes at the same path is not wrong. */
  readonly routes: readonly RouteContract[]
  /** The services accept this credential from each other; it must not work from outside. */
  readonly gatewaySecret: string
}

/** Derives the bad requests of a route from its contract and its example. */
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
  // A route that streams its body accepts any bytes.
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

/** Returns whether a route takes requests at `path`, perhaps only to refuse a parameter: `/a/:id` takes `/a/new`. */
function takes(route: RouteContract, path: string): boolean {
  const segments = path.split('/')
  const pattern = route.path.split('/')
  return (
    pattern.length === segments.length &&
    pattern.every((part, at) => part.startsWith(':') || part === segments[at])
  )
}

/** Returns methods that the path does not have, each with headers that name the right method. */
function wrongMethods({ path, method }: RouteContract, routes: readonly RouteContract[]): Difference[] {
  const known = new Set<string>(routes.filter((route) => takes(route, path)).map((route) => route.method))
  return allMethods
    .filter((wrong) => !known.has(wrong))
    .map((wrong) => ({ name: `method ${wrong} for ${method}`, method: wrong, headers: overrides(method) }))
}

/** Returns reads that ask to be treated as changes. */
function overriddenMethods(good: BadRequest): BadRequest[] {
  if (good.method !== 'GET') return []
  return (['POST', 'PUT', 'DELETE'] as const).map((method) => ({
    ...good,
    name: `${method} by override`,
    target: `${good.target}${good.target.includes('?') ? '&' : '?'}_method=${method}`,
    headers: overrides(method),
  }))
}
