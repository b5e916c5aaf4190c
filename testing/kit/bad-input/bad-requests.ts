import type { Method, RouteContract } from '@sumlock/contracts/route'
import { badBodies } from './bad-bodies.ts'
import type { BodyCase } from './bad-bodies.ts'
import { badParams, badQueries, fillPath, otherSpellings } from './bad-addresses.ts'
import { megabyte } from './bad-values.ts'
import { spoofedIdentities, tamperedCookies, wrongTokens } from './false-identities.ts'
import type { Difference, InternalSecret } from './false-identities.ts'
import { validSample } from './valid-sample.ts'

/** What has to come back: a refusal (4xx), or anything proper (below 500) that stores nothing. */
export type Expectation = 'refused' | 'harmless'

export type BadPart = 'body' | 'target' | 'method' | 'headers' | 'sid'

export interface BadRequest {
  readonly name: string
  readonly expects: Expectation
  /** In what it differs from the good one. */
  readonly badPart: BadPart
  /** Whether it is made from a field of this route, and not from what all routes have in common. */
  readonly ofField: boolean
  readonly method: string
  readonly target: string
  readonly body?: string | Buffer | undefined
  /** Instead of the headers of a good request, or (null) without them. */
  readonly headers?: Readonly<Record<string, string | string[] | null>>
  /** The session cookie made from the real one; the real one when absent, none when it answers null. */
  readonly sid?: (real: string) => string | null
}

export interface RouteCases {
  /** The good request all others differ from in one thing. */
  readonly good: BadRequest
  readonly bad: readonly BadRequest[]
  /** Odd, but allowed by the contract: it may change what the route changes. */
  readonly odd: readonly BadRequest[]
}

export interface RouteKnowledge {
  /** Real values of fields and parameters by name, where only a real one leads anywhere. */
  readonly known: Readonly<Record<string, string>>
  /** Every public route: what is another route's is no wrong method. */
  readonly routes: readonly RouteContract[]
  /** What the services show each other: no such thing may count from outside. */
  readonly internalSecret: InternalSecret
}

/** All bad requests of a route, derived from its contract alone: a new route or field is covered by itself. */
export function badRequests(route: RouteContract, knowledge: RouteKnowledge): RouteCases {
  const { known } = knowledge
  const params = route.params ? (validSample(route.params, known) as Record<string, string>) : {}
  const target = fillPath(route.path, params)
  const body = route.body ? JSON.stringify(validSample(route.body, known)) : undefined
  const common = { expects: 'harmless', badPart: 'body', ofField: false } as const
  const good: BadRequest = { name: 'good', ...common, method: route.method, target, body }
  const refused = (badPart: BadPart, cases: readonly Partial<BadRequest>[]): BadRequest[] =>
    cases.map((difference) => ({ ...good, expects: 'refused', badPart, ...difference }))
  const bodies = route.body ? badBodies(route.body, known) : { refused: [], odd: [] }

  const bad: BadRequest[] = [
    ...refused('body', bodies.refused.map(toRequest)),
    ...refused('target', ofField(badParams(route.path, params))),
    ...refused('target', ofField(route.query ? badQueries(target, route.query) : [])),
    ...refused('target', otherSpellings(target)),
    ...refused('method', wrongMethods(route, knowledge.routes)),
    ...overriddenMethods(good),
    ...refused('sid', route.access === 'public' ? [] : spoofedIdentities(knowledge.internalSecret)),
    ...refused('sid', route.access === 'public' ? [] : tamperedCookies),
    ...refused('headers', route.method === 'GET' ? [] : wrongTokens),
    ...refused('body', route.body ? [] : bodiesNobodyAskedFor),
  ]
  return { good, bad, odd: bodies.odd.map((odd) => ({ ...good, ...toRequest(odd) })) }
}

const ofField = <T>(cases: readonly T[]) => cases.map((one) => ({ ...one, ofField: true }))

const toRequest = ({ name, body, ofField = false, contentType, headers }: BodyCase): Difference => ({
  name,
  body,
  ofField,
  headers: { ...(contentType === undefined ? {} : { 'content-type': contentType }), ...headers },
})

const allMethods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE']

const overrides = (method: Method) => ({
  'x-http-method-override': method,
  'x-http-method': method,
  'x-method-override': method,
})

/** Methods the path does not have, also when a header or a parameter says that the right one is meant. */
function wrongMethods({ path, method }: RouteContract, routes: readonly RouteContract[]) {
  const known = new Set<string>(routes.filter((route) => route.path === path).map((route) => route.method))
  return allMethods
    .filter((wrong) => !known.has(wrong))
    .map((wrong) => ({ name: `method ${wrong} for ${method}`, method: wrong, headers: overrides(method) }))
}

/** Reading stays reading, whatever is said beside it. */
function overriddenMethods(good: BadRequest): BadRequest[] {
  if (good.method !== 'GET') return []
  return (['POST', 'PUT', 'DELETE'] as const).map((method) => ({
    ...good,
    name: `${method} by override`,
    target: `${good.target}?_method=${method}`,
    headers: overrides(method),
  }))
}

/** A route that takes no body takes none. */
const bodiesNobodyAskedFor: readonly Difference[] = ['{}', '{"$gt":""}', 'x', megabyte].map((body) => ({
  name: `a body nobody asked for: ${body.slice(0, 12)}`,
  body,
}))
