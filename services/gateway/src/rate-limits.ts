import type { RouteContract } from '@sumlock/contracts/route'
import { AppError } from '@sumlock/service-kit/app-error'
import type { Response } from 'express'
import { RateLimiterMemory } from 'rate-limiter-flexible'

/** Points per window in seconds. Per process: with more gateways each allows as much. */
const perAddress: Record<string, { points: number; duration: number }> = {
  '/api/login': { points: 30, duration: 60 },
  '/api/register': { points: 30, duration: 600 },
  '/api/phone/request-code': { points: 20, duration: 600 },
  '/api/phone/verify-code': { points: 60, duration: 600 },
}
const perSession = { points: 600, duration: 10 }
const perAnonymous = { points: 300, duration: 10 }

/** This route must look alike whatever the reason, so it never says when to come back. */
const silentRoute = '/api/verify-numeric-password'

export type RateLimits = (
  route: RouteContract,
  who: { address: string; session: string | undefined },
  response: Response,
) => Promise<void>

/** Throws 429 with Retry-After when somebody asks too often. */
export function createRateLimits(enabled: boolean, onRefused?: () => void): RateLimits {
  const strict = new Map(
    Object.entries(perAddress).map(([path, options]) => [path, new RateLimiterMemory(options)]),
  )
  const session = new RateLimiterMemory(perSession)
  const anonymous = new RateLimiterMemory(perAnonymous)

  const take = async (limiter: RateLimiterMemory, key: string, route: RouteContract, response: Response) => {
    try {
      await limiter.consume(key)
    } catch (refusal) {
      onRefused?.()
      const waitMs = (refusal as { msBeforeNext?: number }).msBeforeNext ?? 1000
      // guard: silent-unlock
      if (route.path !== silentRoute) response.set('retry-after', String(Math.ceil(waitMs / 1000)))
      throw new AppError(
        'rate-limited',
        'too_many_requests',
        'That was a little too fast. Please wait a moment and try again.',
      )
    }
  }

  return async (route, { address, session: cookie }, response) => {
    if (!enabled) return
    const limiter = strict.get(route.path)
    // guard: limit-per-address
    if (limiter) await take(limiter, address, route, response)
    // guard: limit-per-session
    await (cookie ? take(session, cookie, route, response) : take(anonymous, address, route, response))
  }
}
