import type { IncomingMessage } from 'node:http'
import { bodyKindOf, bodyMaxBytesOf } from '@sumlock/contracts/route-body'
import { AppError } from '@sumlock/service-kit/app-error'
import type { Stage } from './upstream-request.ts'

const lengthOf = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0)

/**
 * Waits until the whole body has arrived, so that a slow sender occupies a connection of the gateway, for `timeoutMs`,
 * and none of a service. A body must state its length, at most that of its route. A stream is left for the proxy.
 */
export function bufferBody(timeoutMs: number): Stage {
  return ({ request, knownRoute }) => {
    const isStreamed = knownRoute && bodyKindOf(knownRoute) === 'stream'
    if (isStreamed && request.headers['content-length'] === undefined) throw lengthRequired()
    if (request.headers['transfer-encoding'] !== undefined)
      throw new AppError('invalid', 'invalid_request', 'Send the content with its length.')
    const length = lengthOf(request)
    if (length > bodyMaxBytesOf(knownRoute ?? {}))
      throw new AppError('too-large', 'body_too_large', 'The request is too large.')
    if (length > 0 && !isStreamed) return readBody(request, length, timeoutMs)
  }
}

const lengthRequired = () =>
  new AppError('length-required', 'length_required', 'Send the file with its length.')

/** Refuses a body on a route that has none. */
export const refuseUnexpectedBody: Stage = ({ route, request }) => {
  if (!route.body && lengthOf(request) > 0)
    throw new AppError('invalid', 'invalid_request', 'This request must not have a body.')
}

/** Reads the body and puts it back, so that the proxy finds an untouched request. */
function readBody(request: IncomingMessage, length: number, timeoutMs: number): Promise<void> {
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
      // Must run within this handler: nothing can be put back into a stream that has emitted 'end'.
      request.unshift(Buffer.concat(chunks))
      resolve()
    }
    const giveUp = () => {
      stop()
      reject(
        new AppError(
          'too-slow',
          'request_too_slow',
          'The request took too long to arrive. Please try again.',
        ),
      )
    }
    const timer = setTimeout(giveUp, timeoutMs)
    request.on('data', take).once('close', giveUp)
  })
}
