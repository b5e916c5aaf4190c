import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import { isStream } from './route-body.ts'

export type ServiceName = 'gateway' | 'auth' | 'messaging' | 'billing' | 'notify' | 'realtime'

/**
 * A route may be called by: `public` anybody; `session` a signed-in session; `unlocked` a session unlocked with the
 * PIN; `admin` an administrator whose session is unlocked and was given the account password within the last 15
 * minutes; `step-up` a session that sends the account password as `password` and, if a PIN is set, is unlocked (the
 * service checks both); `webhook` a machine that signs its requests and has neither cookie nor CSRF token (the
 * service checks the signature).
 */
export type Access = 'public' | 'session' | 'unlocked' | 'admin' | 'step-up' | 'webhook'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Allows at most `points` requests in `seconds`. */
export interface RateLimit {
  readonly points: number
  readonly seconds: number
}

/**
 * The gateway applies these limits to one route, besides the general flood limit. Replicas share all counts but
 * `burst`.
 */
export interface RouteRate {
  /** The limit is for an IPv4 address or IPv6 /64; a /56 may do 4 times as much, a /48 16 times. */
  readonly perAddress?: RateLimit
  /** The limit is for a person with all sessions. */
  readonly perPerson?: RateLimit
  /** The limit is for one session, so that other sessions of the person cannot use it up. */
  readonly perSession?: RateLimit
  /** The limit is for a person; each gateway counts in its own memory. */
  readonly burst?: RateLimit
  /** The limit is for a person. Requests do not wait for the count, which may be ten seconds late. */
  readonly volume?: RateLimit
  /** With `session`, the general flood limit counts the requests of the session to this route, not all of the person. */
  readonly flood?: 'session'
  /** Counts only the requests that are refused with this code. */
  readonly counts?: ErrorCode
  /** Replaces the answer 429 with Retry-After when the limit is exceeded. */
  readonly refusal?: { readonly code: 'wrong_pin'; readonly error: string }
}

/** With an intruder in another session, the owner needs these routes, so no other session can use up their limit. */
export const ownersRate = { perSession: { points: 20, seconds: 60 }, flood: 'session' } as const

export interface RouteContract {
  readonly method: Method
  /** The path is in the notation of Express: `/api/conversations/:id/messages`. */
  readonly path: string
  /** The gateway forwards the request to this service. */
  readonly service: ServiceName
  readonly access: Access
  readonly summary: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** The schema of a JSON body, `rawBody` or `byteStream`. */
  readonly body?: z.ZodType
  /** The body may have this many bytes; 64 kB when absent. */
  readonly bodyMaxBytes?: number
  /** The answer must begin within this time; 2 s when absent. A stream ends after this time without a byte. */
  readonly deadlineMs?: number
  /** The address itself is the secret of one session, so the call needs no CSRF token. */
  readonly isSignedAddress?: true
  /**
   * A webhook's signature comes in this header (lower case); null if the body contains it. The gateway forwards the
   * header on this route only.
   */
  readonly signatureHeader?: string | null
  /**
   * Requests with the same value of this header (lower case) go to the same replica of the service if possible. The
   * gateway does not forward the header.
   */
  readonly replicaHeader?: string
  /** The schemas of successful answers by status, each of JSON or `byteStream`. */
  readonly responses: Readonly<Record<number, z.ZodType>>
  /** The service answers with this schema if the gateway completes the answer. */
  readonly upstreamResponse?: z.ZodType
  /** The route can answer with these errors, and with those that all routes share. */
  readonly errors: readonly ErrorCode[]
  readonly rate?: RouteRate
  /**
   * A call that succeeds once its `exampleValues` are replaced by existing ones. Every route with params, required
   * query fields or a body needs one. The API documents show it, and the access, bad-input and fuzz tests call the
   * route with it.
   */
  readonly example?: RouteExample
}

export interface RouteExample {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, ExampleValue>>
}

type ExampleValue =
  string | number | boolean | null | readonly ExampleValue[] | { readonly [field: string]: ExampleValue }

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
 * Returns a public route unchanged, with its literal types. Throws when, except for a stream, its deadline is beyond
 * 10 s or its body beyond 1 MB, which the gateway keeps in memory. Also throws when a webhook names no signature
 * header, or another route names one.
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
 * Returns an internal route unchanged, with its literal types. It must be a read or idempotent, because the caller
 * retries when no answer arrives.
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

/** A handler of the route returns a body of this type. */
export type RouteAnswer<R extends RouteContract | InternalRouteContract> =
  SuccessSchemaOf<R> extends z.ZodType ? z.input<SuccessSchemaOf<R>> : never
