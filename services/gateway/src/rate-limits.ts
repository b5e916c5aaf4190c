import { errorCatalogue, statusOfKind } from '@sumlock/contracts/errors'
import type { RateLimit, RouteContract } from '@sumlock/contracts/route'
import { AppError } from '@sumlock/service-kit/app-error'
import { addressGroup } from '@sumlock/service-kit/client-address'
import type { Response } from 'express'
import type { Identity } from './domain/session-cache.ts'
import { createLocalLimiter } from './shared-limiter.ts'
import type { CreateLimiter, Limiter } from './shared-limiter.ts'

/** The general flood limits. They stay in memory: each gateway allows as much. */
const flood = {
  perPerson: { points: 600, seconds: 10 },
  /** To each route that asks for it. */
  perSession: { points: 120, seconds: 10 },
  perAddress: { points: 300, seconds: 10 },
  /** Cookies that may be sessions, which auth was not asked about yet: behind one address are many people. */
  unknownCookies: { points: 3000, seconds: 10 },
}

export interface Caller {
  address: string
  /** Known by a session cookie that auth vouched for before. */
  owner?: SessionOwner | undefined
  /** Whether there is a cookie that may be one. */
  hasCookie?: boolean | undefined
}

type SessionOwner = Pick<Identity, 'userId' | 'sid'>

/** Where the proxy writes in `locals` what the service answered. */
export const serviceStatus = 'serviceStatus'

/** Each throws a refusal when it was asked too often. */
export interface RateLimits {
  /** Any request, also to a route that does not exist. */
  takeAny(route: RouteContract | undefined, caller: Caller, response: Response): Promise<void>
  /** By the address, before it is known who asks. */
  takeByAddress(route: RouteContract, address: string, response: Response): Promise<void>
  /** By the person and by the session. */
  takeByOwner(route: RouteContract, owner: SessionOwner, response: Response): Promise<void>
}

const off = () => Promise.resolve()
export const noRateLimits: RateLimits = { takeAny: off, takeByAddress: off, takeByOwner: off }

/** The limits that routes state are made by `createStrict`. */
export function createRateLimits(
  routes: readonly RouteContract[],
  createStrict: CreateLimiter,
  onRefused?: () => void,
): RateLimits {
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
  const local = ({ points, seconds }: RateLimit) =>
    createLocalLimiter({ keyPrefix: '', points, duration: seconds })
  const [anyPerson, anySession] = [local(flood.perPerson), local(flood.perSession)]
  const [anyAddress, unknownCookies] = [local(flood.perAddress), local(flood.unknownCookies)]

  const take = async (
    limiter: Limiter,
    key: string,
    route: RouteContract | undefined,
    response: Response,
  ) => {
    try {
      await limiter.consume(key)
    } catch (spent) {
      onRefused?.()
      throw refusal(route, (spent as { msBeforeNext?: number }).msBeforeNext ?? 1000, response)
    }
  }
  /** Takes a point first, so that parallel requests cannot exceed the limit, and gives it back unless it counts. */
  const takeByOutcome = async (
    limiter: Limiter,
    key: string,
    route: RouteContract,
    countedStatus: number,
    response: Response,
  ) => {
    const giveBack = () => void limiter.reward(key).catch(() => undefined)
    try {
      await take(limiter, key, route, response)
    } catch (refused) {
      giveBack()
      throw refused
    }
    response.once('close', () => {
      // Who hangs up before the answer may have been about to get the counted one.
      const status = response.locals[serviceStatus] as number | undefined
      if (status !== undefined && status !== countedStatus) giveBack()
    })
  }
  const takeStrict = async (
    limiter: Limiter | undefined,
    key: string,
    route: RouteContract,
    response: Response,
  ) => {
    if (!limiter) return
    const { counts } = route.rate ?? {}
    if (!counts) return take(limiter, key, route, response)
    await takeByOutcome(limiter, key, route, statusOfKind[errorCatalogue[counts].kind], response)
  }

  return {
    takeAny: (route, { address, owner, hasCookie }, response) => {
      if (owner && route?.rate?.flood === 'session')
        return take(anySession, `${owner.sid} ${route.path}`, route, response)
      if (owner) return take(anyPerson, owner.userId, route, response)
      return take(hasCookie ? unknownCookies : anyAddress, addressGroup(address), route, response)
    },
    takeByAddress: (route, address, response) =>
      takeStrict(byAddress.get(route), addressGroup(address), route, response),
    takeByOwner: async (route, { userId, sid }, response) => {
      await takeStrict(bySession.get(route), sid, route, response)
      await takeStrict(byPerson.get(route), userId, route, response)
    },
  }
}

function refusal(route: RouteContract | undefined, waitMs: number, response: Response): AppError {
  const stated = route?.rate?.refusal
  if (stated) return new AppError(errorCatalogue[stated.code].kind, stated.code, stated.error)
  response.set('retry-after', String(Math.ceil(waitMs / 1000)))
  return new AppError(
    'rate-limited',
    'too_many_requests',
    'That was a little too fast. Please wait a moment and try again.',
  )
}
