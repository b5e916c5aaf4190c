import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import { isStream } from './route-body.ts'

export type ServiceName = 'gateway' | 'auth' | 'messaging' | 'billing' | 'notify' | 'realtime'

/**
 * The access of a route: anyone; a signed-in session; a session unlocked with the PIN; an admin whose session is unlocked and
 * was given the account password within the last 15 minutes; a session whose call has the account password as `password`, and which is unlocked if a
 * PIN is set (the service checks both); a machine that signs its requests, without cookie and CSRF token (the service checks
 * the signature).
 */
export type Access = 'public' | 'session' | 'unlocked' | 'admin' | 'step-up' | 'webhook'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Allows at most `points` requests in `seconds`. */
export interface RateLimit {
  readonly points: number
  readonly seconds: number
}

/** The gateway's limits for one route, besides the general flood limit. Replicas share all counts but `burst`. */
export interface RouteRate {
  /** Per IPv4 address or IPv6 /64; a /56 may do 4 times as much, a /48 16 times. */
  readonly perAddress?: RateLimit
  /** Per person, over all sessions. */
  readonly perPerson?: RateLimit
  /** Per session: other sessions of the same person cannot use it up. */
  readonly perSession?: RateLimit
  /** Per person, counted in the memory of each gateway. */
  readonly burst?: RateLimit
  /** Per person. No request waits for this count, which may lag ten seconds behind. */
  readonly volume?: RateLimit
  /** With `session`, the general flood limit counts the requests of the session to this route, not all of the person. */
  readonly flood?: 'session'
  /** Counts only the requests that are refused with this code. */
  readonly counts?: ErrorCode
  /** The answer over the limit, instead of 429 with Retry-After. */
  readonly refusal?: { readonly code: 'wrong_pin'; readonly error: string }
}

/** Limits of routes that the owner needs against an intruder: no other session can use them up. */
export const ownersRate = { perSession: { points: 20, seconds: 60 }, flood: 'session' } as const

export interface RouteContract {
  readonly method: Method
  /** Express notation: `/api/conversations/:id/messages`. */
  readonly path: string
  /** The service that answers behind the gateway. */
  readonly service: ServiceName
  readonly access: Access
  readonly summary: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** The schema of a JSON body, `rawBody` or `byteStream`. */
  readonly body?: z.ZodType
  /** The largest body; 64 kB when absent. */
  readonly bodyMaxBytes?: number
  /** The answer must begin within this time; 2 s when absent. A stream ends after this time without a byte. */
  readonly deadlineMs?: number
  /** The address itself is the secret of one session, so the call needs no CSRF token. */
  readonly isSignedAddress?: true
  /** The header of a webhook's signature, lower case; null: the body contains it. The gateway forwards it on this route alone. */
  readonly signatureHeader?: string | null
  /** A request header, lower case: requests with the same value prefer the same replica of the service. It goes no further. */
  readonly replicaHeader?: string
  /** Success answers by status: schemas of JSON, or `byteStream`. */
  readonly responses: Readonly<Record<number, z.ZodType>>
  /** The response of the service, if the gateway completes it. */
  readonly upstreamResponse?: z.ZodType
  /** The errors of this route; every route has the shared ones, too. */
  readonly errors: readonly ErrorCode[]
  readonly rate?: RouteRate
  /**
   * A call that succeeds once its `exampleValues` are replaced by existing ones; needed by every route with params, required
   * query fields or a body. The API documents show it, and the access, bad-input and fuzz tests call the route with it.
   */
  readonly example?: RouteExample
}

export interface RouteExample {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, ExampleValue>>
}

type ExampleValue =
  string | number | boolean | readonly ExampleValue[] | { readonly [field: string]: ExampleValue }

export interface InternalRouteContract extends Omit<
  RouteContract,
  'access' | 'errors' | 'rate' | 'example' | 'deadlineMs' | 'signatureHeader' | 'replicaHeader'
> {
  readonly callers: readonly ServiceName[]
}

export const defaultDeadlineMs = 2000
const longestDeadlineMs = 10_000
const longestStallMs = 30_000
const largestBodyBytes = 1024 * 1024

/**
 * Fixes the literal types of a public route. Throws for a deadline beyond 10 s and a body beyond 1 MB, which the gateway
 * keeps in memory, unless it is a stream, and for a signature that is no webhook's or a webhook without one.
 */
export function defineRoute<const R extends RouteContract>(route: R): R {
  const { path, access, deadlineMs = defaultDeadlineMs, bodyMaxBytes = 0, signatureHeader } = route
  const longestMs = isStream(route) ? longestStallMs : longestDeadlineMs
  if (!(deadlineMs > 0 && deadlineMs <= longestMs))
    throw new RangeError(`${path}: a deadline is at most ${longestMs} ms`)
  if (!isStream(route) && !(bodyMaxBytes <= largestBodyBytes))
    throw new RangeError(`${path}: a body has at most ${largestBodyBytes} bytes`)
  if ((access === 'webhook') !== (signatureHeader !== undefined))
    throw new Error(`${path}: every webhook, and no other route, must name the header of its signature`)
  return route
}

/**
 * Fixes the literal types of a service-to-service route (internal port only). It must be a read or idempotent, because
 * the caller retries when no answer arrives.
 */
export const defineInternalRoute = <const R extends InternalRouteContract>(route: R): R => route

type InputOf<T> = T extends z.ZodType ? z.output<T> : undefined

export interface RouteInput<R extends Pick<RouteContract, 'params' | 'query' | 'body'>> {
  params: InputOf<R['params']>
  query: InputOf<R['query']>
  body: InputOf<R['body']>
}

type SuccessSchemaOf<R extends RouteContract | InternalRouteContract> = R extends {
  upstreamResponse: infer O extends z.ZodType
}
  ? O
  : R['responses'][keyof R['responses']]

/** The body that a handler of the route returns. */
export type RouteAnswer<R extends RouteContract | InternalRouteContract> =
  SuccessSchemaOf<R> extends z.ZodType ? z.input<SuccessSchemaOf<R>> : never
