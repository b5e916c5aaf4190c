import { errorCatalogue, statusOfKind } from '@sumlock/contracts/errors'
import { sessionCookieShape } from '@sumlock/contracts/cookies'
import { isStream } from '@sumlock/contracts/route-body'
import type { RateLimit, RouteContract } from '@sumlock/contracts/route'
import { AppError } from '@sumlock/service-kit/app-error'
import { addressGroup } from '@sumlock/service-kit/client-address'
import { createSemaphore } from '@sumlock/service-kit/semaphore'
import type { Response } from 'express'
import type { Identity } from '../infrastructure/session-cache.ts'
import { createLocalLimiter } from '../infrastructure/shared-limiter.ts'
import type { CreateLimiter, Limiter } from '../infrastructure/shared-limiter.ts'
import type { Stage, UpstreamRequest } from './upstream-request.ts'

/**
 * Answers 429 while `limit` requests are in flight: admitted, they would miss their deadline, be sent again and slow down
 * all others. A request counts until its answer begins, so that slow readers hold no share. Streams have their own limits.
 */
export function limitConcurrency(limit: number, onRefused?: () => void): Stage {
  const inFlight = createSemaphore({ permits: limit })
  return ({ response, knownRoute, defer }) => {
    if (knownRoute && isStream(knownRoute)) return
    const permit = inFlight.tryAcquire()
    if (!permit) {
      onRefused?.()
      throw tooManyRequests(response, knownRoute)
    }
    defer(permit.release)
  }
}

/** A 429 with Retry-After: 1, unless the route has no such header. */
export function tooManyRequests(response: Pick<Response, 'set'>, route: RouteContract | undefined): AppError {
  if (!route?.rate?.refusal) response.set('retry-after', '1')
  return new AppError(
    'rate-limited',
    'too_many_requests',
    'The service is busy. Please try again in a moment.',
  )
}

/** The general flood limits. They stay in memory: each gateway allows as much. */
const flood = {
  perPerson: { points: 600, seconds: 10 },
  /** For routes with `flood: 'session'`. */
  perSession: { points: 120, seconds: 10 },
  perAddress: { points: 300, seconds: 10 },
  /** Well-formed session cookies that auth has not confirmed yet: one address may stand for many people. */
  unknownCookies: { points: 3000, seconds: 10 },
}

/** The parts of a request that rate limits use. */
export type LimitedRequest = Pick<
  UpstreamRequest,
  'knownRoute' | 'route' | 'address' | 'sessionCookie' | 'identity' | 'upstreamStatus'
> & { response: Pick<Response, 'set' | 'once'> }

type LimitStage = (request: LimitedRequest) => Promise<void>

/** Three stages; each refuses a request whose limit is used up. */
export interface RateLimits {
  /** Every request, also to a route that does not exist. */
  flood: LimitStage
  /** The route's limit per address, before the session is known. */
  perAddress: LimitStage
  /** The route's limits per person and per session. */
  perCaller: LimitStage
}

const off = () => Promise.resolve()
export const noRateLimits: RateLimits = { flood: off, perAddress: off, perCaller: off }

export interface RateLimitOptions {
  /** Creates the limiters of the routes. */
  createStrict: CreateLimiter
  /** The person behind a session cookie that auth has confirmed before. */
  ownerOf: (sessionCookie: string) => Pick<Identity, 'userId' | 'sid'> | undefined
  onRefused?: () => void
}

export function createRateLimits(
  routes: readonly RouteContract[],
  { createStrict, ownerOf, onRefused }: RateLimitOptions,
): RateLimits {
  const take: Take = async (limiter, key, { response }, route) => {
    try {
      await limiter.consume(key)
    } catch (spent) {
      onRefused?.()
      throw refusal(route, (spent as { msBeforeNext?: number }).msBeforeNext ?? 1000, response)
    }
  }
  return {
    flood: createFloodLimit(ownerOf, take),
    ...createRouteLimits(routes, createStrict, take),
  }
}

/** `route` words the refusal. */
type Take = (
  limiter: Limiter,
  key: string,
  request: LimitedRequest,
  route: RouteContract | undefined,
) => Promise<void>

function createFloodLimit(ownerOf: RateLimitOptions['ownerOf'], take: Take): LimitStage {
  const local = ({ points, seconds }: RateLimit) =>
    createLocalLimiter({ keyPrefix: '', points, duration: seconds })
  const perPerson = local(flood.perPerson)
  const perSession = local(flood.perSession)
  const perAddress = local(flood.perAddress)
  const unknownCookies = local(flood.unknownCookies)

  return (request) => {
    const { sessionCookie, knownRoute, address } = request
    // A cookie that auth has not confirmed counts by address: any browser can invent one.
    const owner = sessionCookie === undefined ? undefined : ownerOf(sessionCookie)
    if (owner && knownRoute?.rate?.flood === 'session')
      return take(perSession, `${owner.sid} ${knownRoute.path}`, request, knownRoute)
    if (owner) return take(perPerson, owner.userId, request, knownRoute)
    const mayBeSession = sessionCookie !== undefined && sessionCookieShape.test(sessionCookie)
    // Without a session, a refusal in the words of a route would confirm its name.
    const worded = knownRoute?.access === 'public' ? knownRoute : undefined
    return take(mayBeSession ? unknownCookies : perAddress, addressGroup(address), request, worded)
  }
}

function createRouteLimits(
  routes: readonly RouteContract[],
  createStrict: CreateLimiter,
  take: Take,
): Pick<RateLimits, 'perAddress' | 'perCaller'> {
  const strict = (pick: (route: RouteContract) => RateLimit | undefined, kind: string) =>
    new Map(
      routes.flatMap((route) => {
        const limit = pick(route)
        const keyPrefix = `${kind}:${route.method}:${route.path}`
        return limit
          ? [[route, createStrict({ keyPrefix, points: limit.points, duration: limit.seconds })]]
          : []
      }),
    )
  const byAddress = strict(({ rate }) => rate?.perAddress, 'address')
  const byPerson = strict(({ rate }) => rate?.perPerson, 'person')
  const bySession = strict(({ rate }) => rate?.perSession, 'session')

  const takeStrict = async (limiter: Limiter | undefined, key: string, request: LimitedRequest) => {
    if (!limiter) return
    const { counts } = request.route.rate ?? {}
    if (!counts) return take(limiter, key, request, request.route)
    // Takes a point first, so that parallel requests cannot exceed the limit, and gives it back unless it counts.
    const giveBack = () => void limiter.reward(key).catch(() => undefined)
    try {
      await take(limiter, key, request, request.route)
    } catch (refused) {
      giveBack()
      throw refused
    }
    request.response.once('close', () => {
      // A client that hung up early may have been about to get the counted status: it keeps the point.
      const { upstreamStatus } = request
      if (upstreamStatus !== undefined && upstreamStatus !== statusOfKind[errorCatalogue[counts].kind])
        giveBack()
    })
  }

  return {
    perAddress: (request) => takeStrict(byAddress.get(request.route), addressGroup(request.address), request),
    perCaller: async (request) => {
      const { route, identity } = request
      if (!identity) return
      await takeStrict(bySession.get(route), identity.sid, request)
      await takeStrict(byPerson.get(route), identity.userId, request)
    },
  }
}

function refusal(
  route: RouteContract | undefined,
  waitMs: number,
  response: Pick<Response, 'set'>,
): AppError {
  const stated = route?.rate?.refusal
  if (stated) return new AppError(errorCatalogue[stated.code].kind, stated.code, stated.error)
  response.set('retry-after', String(Math.ceil(waitMs / 1000)))
  return new AppError(
    'rate-limited',
    'too_many_requests',
    'That was a little too fast. Please wait a moment and try again.',
  )
}
