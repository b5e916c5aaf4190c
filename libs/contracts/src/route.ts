import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

export type ServiceName = 'gateway' | 'auth' | 'messaging' | 'billing' | 'notify' | 'realtime'

/**
 * Who may call: anyone; a signed-in session; one that has also unlocked with the PIN; an admin who has unlocked, or
 * signed in within 15 minutes.
 */
export type Access = 'public' | 'session' | 'unlocked' | 'admin'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** So many requests in so many seconds. */
export interface RateLimit {
  readonly points: number
  readonly seconds: number
}

/** What the gateway counts for one route, besides the general flood limit. All gateways count together. */
export interface RouteRate {
  /** Of one IPv4 address or one IPv6 network (/64). */
  readonly perAddress?: RateLimit
  /** Of one person in all sessions together. */
  readonly perPerson?: RateLimit
  /** Of one session: other sessions of the same person cannot use it up. */
  readonly perSession?: RateLimit
  /** Whose requests the general flood limit counts here: those of the session to this route, instead of all of the person. */
  readonly flood?: 'session'
  /** Only requests that are refused with this code count. */
  readonly counts?: ErrorCode
  /** Told to those who ask too often, instead of 429 and a time to come back. */
  readonly refusal?: { readonly code: 'wrong_pin'; readonly error: string }
}

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
  readonly body?: z.ZodType
  /** Success answers by status. */
  readonly responses: Readonly<Record<number, z.ZodType>>
  /** Set where the gateway completes the owner's answer: what the owner itself sends. */
  readonly ownerAnswers?: z.ZodType
  /** The refusals a caller can meet here, besides those every route shares. */
  readonly errors: readonly ErrorCode[]
  readonly rate?: RouteRate
}

export interface InternalRouteContract extends Omit<RouteContract, 'access' | 'errors' | 'rate'> {
  readonly callers: readonly ServiceName[]
}

/** Fixes the literal types of a public route. */
export const defineRoute = <const R extends RouteContract>(route: R): R => route

/**
 * Fixes the literal types of a service-to-service route (internal port only). It must be a read, or come to the same
 * when it is made twice: whoever hears nothing asks again.
 */
export const defineInternalRoute = <const R extends InternalRouteContract>(route: R): R => route

type InputOf<T> = T extends z.ZodType ? z.output<T> : undefined

export interface RouteInput<R extends Pick<RouteContract, 'params' | 'query' | 'body'>> {
  params: InputOf<R['params']>
  query: InputOf<R['query']>
  body: InputOf<R['body']>
}

type SuccessSchemaOf<R extends RouteContract | InternalRouteContract> = R extends {
  ownerAnswers: infer O extends z.ZodType
}
  ? O
  : R['responses'][keyof R['responses']]

/** What a handler of the route must return as its body. */
export type RouteAnswer<R extends RouteContract | InternalRouteContract> =
  SuccessSchemaOf<R> extends z.ZodType ? z.input<SuccessSchemaOf<R>> : never
