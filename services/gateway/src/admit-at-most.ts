import { AppError } from '@sumlock/service-kit/app-error'
import type { RequestHandler } from 'express'

/**
 * Answers 429 at once while `limit` requests are under way. Taken in, they would wait beyond their time, be sent again,
 * and keep everybody from being served.
 */
export function admitAtMost(limit: number, onRefused?: () => void): RequestHandler {
  let underWay = 0
  return (_request, response, next) => {
    // guard: admit-at-most
    if (underWay >= limit) {
      onRefused?.()
      response.set('retry-after', '1')
      throw new AppError(
        'rate-limited',
        'too_many_requests',
        'Very many people are here right now. Please try again in a moment.',
      )
    }
    underWay += 1
    response.once('close', () => {
      underWay -= 1
    })
    next()
  }
}
