import { AppError } from '@sumlock/service-kit/app-error'
import type { RequestHandler, Response } from 'express'

/**
 * Answers 429 at once while `limit` requests wait for their answers. Admitted, they would wait past their deadline, be
 * sent again, and slow down everyone else.
 */
export function limitConcurrency(limit: number, onRefused?: () => void): RequestHandler {
  let inFlight = 0
  return (_request, response, next) => {
    // guard: limit-concurrency
    if (inFlight >= limit) {
      onRefused?.()
      throw tooManyRequests(response)
    }
    inFlight += 1
    // Not at `close`: a client that reads nothing would hold its share for as long as it likes.
    // guard: release-at-answer
    onceAnswered(response, () => {
      inFlight -= 1
    })
    next()
  }
}

/** Calls back once: when the answer begins, or when the client went away before. */
function onceAnswered(response: Response, callBack: () => void): void {
  let isCalled = false
  const callOnce = () => {
    if (isCalled) return
    isCalled = true
    callBack()
  }
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => Response
  response.writeHead = ((...args: unknown[]) => {
    callOnce()
    return writeHead(...args)
  }) as typeof response.writeHead
  response.once('close', callOnce)
}

/** A 429 that asks for a second of patience. */
export function tooManyRequests(response: Response): AppError {
  response.set('retry-after', '1')
  return new AppError(
    'rate-limited',
    'too_many_requests',
    'Very many people are here right now. Please try again in a moment.',
  )
}
