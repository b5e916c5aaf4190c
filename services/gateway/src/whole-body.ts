import type { IncomingMessage } from 'node:http'
import { limits } from '@sumlock/contracts/limits'
import type { RouteContract } from '@sumlock/contracts/route'
import { AppError } from '@sumlock/service-kit/app-error'
import type { RequestHandler } from 'express'

const lengthOf = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0)

/**
 * Lets a request on only when all of its content is here: who sends it drop by drop keeps one connection of ours
 * busy for `withinMs`, and none of a service. Content has to say its length, which is at most that of a JSON body.
 */
export function wholeBody(withinMs: number): RequestHandler {
  return async (request, _response, next) => {
    if (request.headers['transfer-encoding'] !== undefined)
      throw new AppError('invalid', 'invalid_request', 'Send the content with its length.')
    const length = lengthOf(request)
    if (length > limits.jsonBodyMaxBytes)
      throw new AppError('too-large', 'body_too_large', 'That is too much at once.')
    if (length > 0) await arrival(request, length, withinMs)
    next()
  }
}

/** Refuses content on a route that takes none: nobody would look at what it says. */
export function takesContent({ body }: RouteContract, request: IncomingMessage): void {
  if (!body && lengthOf(request) > 0)
    throw new AppError('invalid', 'invalid_request', 'There is nothing to send here.')
}

/** Reads the content and puts it back, so that the proxy finds the request as if nobody had touched it. */
function arrival(request: IncomingMessage, length: number, withinMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let missing = length
    const stop = () => {
      clearTimeout(timer)
      request.pause()
      request.off('data', take).off('close', giveUp)
    }
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      missing -= chunk.length
      if (missing > 0) return
      stop()
      // Before this handler returns: a stream that has said `end` takes nothing back.
      request.unshift(Buffer.concat(chunks))
      resolve()
    }
    const giveUp = () => {
      stop()
      reject(new AppError('too-slow', 'request_too_slow', 'That took too long to arrive. Please try again.'))
    }
    const timer = setTimeout(giveUp, withinMs)
    request.on('data', take).once('close', giveUp)
  })
}
