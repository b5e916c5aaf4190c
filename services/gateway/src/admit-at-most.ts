import { AppError } from '@sumlock/service-kit/app-error'
import type { RequestHandler, Response } from 'express'

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
      throw tooManyHere(response)
    }
    underWay += 1
    response.once('close', () => {
      underWay -= 1
    })
    next()
  }
}

/** The answer to who cannot be served now: 429, with a second to wait before the next try. */
export function tooManyHere(response: Response): AppError {
  response.set('retry-after', '1')
  return new AppError(
    'rate-limited',
    'too_many_requests',
    'Very many people are here right now. Please try again in a moment.',
  )
}
