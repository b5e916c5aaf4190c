import { errorCatalogue } from '@sumlock/contracts/error-catalogue'
import { statusOfKind } from '@sumlock/contracts/errors'
import type { RateLimit, RouteContract } from '@sumlock/contracts/route'
import { AppError } from '@sumlock/service-kit/app-error'
import type { Response } from 'express'
import { addressKey } from './domain/address-key.ts'
import { createLocalLimiter } from './shared-limiter.ts'
import type { CreateLimiter, Limiter } from './shared-limiter.ts'

/** The general flood limits. They stay in memory: each gateway allows as much. */
const flood = {
  perPerson: { points: 600, seconds: 10 },
  perAddress: { points: 300, seconds: 10 },
}

export interface Caller {
  address: string
  /** Known by a session cookie that auth vouched for before. */
  userId?: string | undefined
}

/** Each throws a refusal when it was asked too often. */
export interface RateLimits {
  /** Any request, also to a route that does not exist. */
  takeAny(route: RouteContract | undefined, caller: Caller, response: Response): Promise<void>
  /** By the address, before it is known who asks. */
  takeByAddress(route: RouteContract, address: string, response: Response): Promise<void>
  takeByPerson(route: RouteContract, userId: string, response: Response): Promise<void>
}

const off = () => Promise.resolve()
export const noRateLimits: RateLimits = { takeAny: off, takeByAddress: off, takeByPerson: off }

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
  const local = ({ points, seconds }: RateLimit) =>
    createLocalLimiter({ keyPrefix: '', points, duration: seconds })
  const [anyPerson, anyAddress] = [local(flood.perPerson), local(flood.perAddress)]

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
      // guard: counted-outcome
      if (response.statusCode !== countedStatus) giveBack()
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
    takeAny: (route, { address, userId }, response) => {
      // guard: limit-per-person
      if (userId !== undefined) return take(anyPerson, userId, route, response)
      return take(anyAddress, addressKey(address), route, response)
    },
    takeByAddress: (route, address, response) =>
      // guard: limit-per-address
      takeStrict(byAddress.get(route), addressKey(address), route, response),
    takeByPerson: (route, userId, response) => takeStrict(byPerson.get(route), userId, route, response),
  }
}

function refusal(route: RouteContract | undefined, waitMs: number, response: Response): AppError {
  const stated = route?.rate?.refusal
  // guard: silent-unlock
  if (stated) return new AppError(errorCatalogue[stated.code].kind, stated.code, stated.error)
  response.set('retry-after', String(Math.ceil(waitMs / 1000)))
  return new AppError(
    'rate-limited',
    'too_many_requests',
    'That was a little too fast. Please wait a moment and try again.',
  )
}
