import type { RouteContract } from '@sumlock/contracts/route'
import { AppError } from '@sumlock/service-kit/app-error'
import type { Request, RequestHandler, Response } from 'express'
import { findRoute, pathOf } from './domain/route-table.ts'

/**
 * Answers 429 at once while `limit` requests wait for their answers. Admitted, they would wait past their deadline, be
 * sent again, and slow down everyone else. A request counts until `handler` resolves, which is when its answer begins: a
 * client that reads nothing must not hold its share for as long as it likes.
 */
export function limitConcurrency(
  limit: number,
  handler: (request: Request, response: Response) => Promise<void>,
  onRefused?: () => void,
): RequestHandler {
  let inFlight = 0
  return async (request, response) => {
    if (inFlight >= limit) {
      onRefused?.()
      throw tooManyRequests(response, findRoute(request.method, pathOf(request.originalUrl)))
    }
    inFlight += 1
    try {
      await handler(request, response)
    } finally {
      inFlight -= 1
    }
  }
}

/** A 429 with Retry-After: 1, unless the route has no such header. */
export function tooManyRequests(response: Response, route: RouteContract | undefined): AppError {
  if (!route?.rate?.refusal) response.set('retry-after', '1')
  return new AppError(
    'rate-limited',
    'too_many_requests',
    'Very many people are here right now. Please try again in a moment.',
  )
}
