import type { RouteContract } from '@sumlock/contracts/route'
import { AppError } from '@sumlock/service-kit/app-error'
import { waitSeconds } from '@sumlock/service-kit/wait-words'
import type { Response } from 'express'

/** A 429 with the time to wait in Retry-After, a second when absent; some routes refuse in other words without it. */
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
