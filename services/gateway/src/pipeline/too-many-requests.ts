import type { RouteContract } from '@sumlock/contracts/route'
import { AppError } from '@sumlock/service-kit/app-error'
import { waitSeconds } from '@sumlock/service-kit/wait-words'
import type { Response } from 'express'

/** Returns a 429, and sets Retry-After to `waitMs` unless the route states a refusal of its own. */
export function tooManyRequests(
  response: Pick<Response, 'set'>,
  route: RouteContract | undefined,
  waitMs = 1000,
): AppError {
  if (!route?.rate?.refusal) response.set('retry-after', String(waitSeconds(waitMs)))
  return new AppError(
    'rate-limited',
    'too_many_requests',
    'The service is busy. Please try again in a moment.',
  )
}
