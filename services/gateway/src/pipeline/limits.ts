import { isStream } from '@sumlock/contracts/route-body'
import type { RouteContract } from '@sumlock/contracts/route'
import { AppError } from '@sumlock/service-kit/app-error'
import { createSemaphore } from '@sumlock/service-kit/semaphore'
import { waitSeconds } from '@sumlock/service-kit/wait-words'
import type { Response } from 'express'
import type { Stage } from './upstream-request.ts'

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

/** A 429 that says after how many ms, a second when absent, to try again; the refusals of some routes say nothing. */
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
