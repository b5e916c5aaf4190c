import { errorCatalogue, statusOfKind } from '@sumlock/contracts/errors'
import { sessionCookieShape } from '@sumlock/contracts/cookies'
import type { RateLimit, RouteContract } from '@sumlock/contracts/route'
import { AppError } from '@sumlock/service-kit/app-error'
import { waitSeconds, waitWords } from '@sumlock/service-kit/wait-words'
import type { Response } from 'express'
import type { GatewaySession } from '../infrastructure/session-cache.ts'
import { createLocalLimiter } from '../infrastructure/shared-limiter.ts'
import type { CreateLimiter, Limiter } from '../infrastructure/shared-limiter.ts'
import type { AdmissionRefusal } from '../metrics.ts'
import { createNetworkCounters, giveBack, SpentError, takeFromAll } from './counters.ts'
import type { Counter } from './counters.ts'
import type { UpstreamRequest } from './upstream-request.ts'
import { createVolumeLimit } from './volume-limit.ts'
import type { VolumeLimit } from './volume-limit.ts'

/** Each gateway counts these general limits in its own memory, so all gateways together allow more. */
const flood = {
  perPerson: { points: 600, seconds: 10 },
  /** On routes with `flood: 'session'` this limit replaces `perPerson`. Each session has it once for each route. */
  perSession: { points: 120, seconds: 10 },
  perAddress: { points: 300, seconds: 10 },
  /**
   * This limit counts requests of an address with well-formed session cookies that auth has not confirmed yet. It is high,
   * because many people may share an address.
   */
  unknownCookies: { points: 3000, seconds: 10 },
}

/** Rate limits use these parts of a request. */
export type LimitedRequest = Pick<
  UpstreamRequest,
  'knownRoute' | 'route' | 'address' | 'sessionCookie' | 'identity' | 'upstreamStatus'
> & { response: Pick<Response, 'once'> }

type LimitStage = (request: LimitedRequest) => Promise<void>

/** Each of these three stages refuses a request whose limit is used up. */
export interface RateLimits {
  /** Counts every request, even to a route that does not exist. */
  flood: LimitStage
  /** Applies the route's limit per address, with or without a session. */
  perAddress: LimitStage
  /** Applies the route's limits per person and per session. */
  perCaller: LimitStage
}

const off = () => Promise.resolve()
export const noRateLimits: RateLimits = { flood: off, perAddress: off, perCaller: off }

export interface RateLimitOptions {
  /** Creates the limiters of the routes. */
  createStrict: CreateLimiter
  /** Returns the owner of a session cookie that auth has confirmed before. */
  ownerOf: (sessionCookie: string) => Pick<GatewaySession, 'userId' | 'sid'> | undefined
  nowMs: () => number
  onRefused?: ((reason: AdmissionRefusal) => void) | undefined
}

export function createRateLimits(
  routes: readonly RouteContract[],
  { createStrict, ownerOf, nowMs, onRefused }: RateLimitOptions,
): RateLimits {
  const take: Take = async (counters, route) => {
    try {
      await takeFromAll(counters)
    } catch (error) {
      if (!(error instanceof SpentError)) throw error
      onRefused?.(error.counter.reason)
      throw refusal(route, error.waitMs)
    }
  }
  return {
    flood: createFloodLimit(ownerOf, take),
    ...createRouteLimits(routes, { createStrict, nowMs, onRefused, take }),
  }
}

/** The refusal uses the words of `route`, if it has its own. */
type Take = (counters: readonly Counter[], route: RouteContract | undefined) => Promise<void>

function createFloodLimit(ownerOf: RateLimitOptions['ownerOf'], take: Take): LimitStage {
  const local = ({ points, seconds }: RateLimit) =>
    createLocalLimiter({ keyPrefix: '', points, duration: seconds })
  const perPerson = local(flood.perPerson)
  const perSession = local(flood.perSession)
  const perAddress = createNetworkCounters(createLocalLimiter, '', flood.perAddress)
  const unknownCookies = createNetworkCounters(createLocalLimiter, '', flood.unknownCookies)
  const one = (limiter: Limiter, key: string): Counter[] => [{ limiter, key, reason: 'too-often' }]

  return ({ sessionCookie, knownRoute, address }) => {
    // A cookie that auth has not confirmed counts by address, because any browser can invent one.
    const owner = sessionCookie === undefined ? undefined : ownerOf(sessionCookie)
    if (owner && knownRoute?.rate?.flood === 'session')
      return take(one(perSession, `${owner.sid} ${knownRoute.path}`), knownRoute)
    if (owner) return take(one(perPerson, owner.userId), knownRoute)
    const mayBeSession = sessionCookie !== undefined && sessionCookieShape.test(sessionCookie)
    // Without a session, the words of a route's own refusal would confirm that the route exists.
    const worded = knownRoute?.access === 'public' ? knownRoute : undefined
    return take((mayBeSession ? unknownCookies : perAddress)(address), worded)
  }
}

function createRouteLimits(
  routes: readonly RouteContract[],
  { createStrict, nowMs, onRefused, take }: Omit<RateLimitOptions, 'ownerOf'> & { take: Take },
): Pick<RateLimits, 'perAddress' | 'perCaller'> {
  const ofRoutes = <T>(
    kind: 'perAddress' | 'perPerson' | 'perSession' | 'burst' | 'volume',
    create: (keyPrefix: string, limit: RateLimit) => T,
  ) =>
    new Map(
      routes.flatMap((route) => {
        const limit = route.rate?.[kind]
        return limit ? [[route, create(`${kind}:${route.method}:${route.path}`, limit)]] : []
      }),
    )
  const createShared = (keyPrefix: string, { points, seconds }: RateLimit) =>
    createStrict({ keyPrefix, points, duration: seconds })
  const byAddress = ofRoutes('perAddress', (keyPrefix, limit) =>
    createNetworkCounters(createStrict, keyPrefix, limit),
  )
  const byPerson = ofRoutes('perPerson', createShared)
  const bySession = ofRoutes('perSession', createShared)
  const byBurst = ofRoutes('burst', (keyPrefix, { points, seconds }) =>
    createLocalLimiter({ keyPrefix, points, duration: seconds }),
  )
  const byVolume = ofRoutes('volume', (keyPrefix, limit) =>
    createVolumeLimit(createShared(keyPrefix, limit), nowMs),
  )

  const takeStrict = async (counters: readonly Counter[], request: LimitedRequest) => {
    // The points are taken before the answer, so that parallel requests cannot exceed the limit. They are given back unless
    // the answer has the status of the error that the route counts.
    await take(counters, request.route)
    const { counts } = request.route.rate ?? {}
    if (!counts || counters.length === 0) return
    request.response.once('close', () => {
      // There is no status when the client hung up early. The points then stay taken, because the answer may have been
      // about to have the counted status.
      const { upstreamStatus } = request
      if (upstreamStatus !== undefined && upstreamStatus !== statusOfKind[errorCatalogue[counts].kind])
        giveBack(counters)
    })
  }
  const takeVolume = (limit: VolumeLimit | undefined, userId: string) => {
    const waitMs = limit?.take(userId) ?? 0
    if (waitMs === 0) return
    onRefused?.('volume')
    throw tooMuch(waitMs)
  }

  return {
    perAddress: (request) => takeStrict(byAddress.get(request.route)?.(request.address) ?? [], request),
    perCaller: async (request) => {
      const { route, identity } = request
      if (!identity) return
      const { sid, userId } = identity
      const counters: Counter[] = []
      const add = (limiter: Limiter | undefined, key: string, reason: AdmissionRefusal) =>
        limiter && counters.push({ limiter, key, reason })
      add(bySession.get(route), sid, 'too-often')
      add(byBurst.get(route), userId, 'burst')
      add(byPerson.get(route), userId, 'too-often')
      await takeStrict(counters, request)
      takeVolume(byVolume.get(route), userId)
    },
  }
}

function refusal(route: RouteContract | undefined, waitMs: number): AppError {
  const stated = route?.rate?.refusal
  if (stated) return new AppError(errorCatalogue[stated.code].kind, stated.code, stated.error)
  return tooMany(waitMs, 'That was a little too fast.')
}

const tooMuch = (waitMs: number): AppError => tooMany(waitMs, 'That is as much as one day allows.')

const tooMany = (waitMs: number, what: string): AppError =>
  new AppError(
    'rate-limited',
    'too_many_requests',
    `${what} Please try again in ${waitWords(waitMs)}.`,
    {},
    { retryAfterSeconds: waitSeconds(waitMs) },
  )
