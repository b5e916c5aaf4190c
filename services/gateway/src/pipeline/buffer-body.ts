import type { IncomingMessage } from 'node:http'
import { limits } from '@sumlock/contracts/limits'
import { bodyKindOf, bodyMaxBytesOf } from '@sumlock/contracts/route-body'
import { AppError } from '@sumlock/service-kit/app-error'
import { networksOf } from '@sumlock/service-kit/client-address'
import type { AdmissionRefusal } from '../metrics.ts'
import { createBodyBudget } from './body-budget.ts'
import type { BodyClaim } from './body-budget.ts'
import { tooManyRequests } from './too-many-requests.ts'
import type { Stage, UpstreamRequest } from './upstream-request.ts'

const megabytes = 2 ** 20

/**
 * The gateway holds at most these sums of bodies. Webhooks need no session, so they have bounds of their own and cannot use
 * up the share of people.
 */
export const bodyBounds = {
  people: { total: 48 * megabytes, perAddress: 2 * megabytes },
  webhooks: { total: 8 * megabytes, perAddress: 2 * megabytes },
}

export interface BodyOptions {
  timeoutMs: number
  /** Bodies are not bounded when this is undefined. */
  bounds: typeof bodyBounds | undefined
  onRefused: (reason: AdmissionRefusal) => void
  /** Called with each change of the number of bytes that are held. */
  onHeld?: (change: number) => void
}

const lengthOf = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0)
const isLarge = (request: IncomingMessage) => lengthOf(request) > limits.jsonBodyMaxBytes

/** Refuses a body without a stated length, and one that is longer than its route allows. */
export const checkBodyLength: Stage = ({ request, knownRoute }) => {
  const { headers } = request
  if (isStreamed(knownRoute) && headers['content-length'] === undefined) throw lengthRequired()
  if (headers['transfer-encoding'] !== undefined)
    throw new AppError('invalid', 'invalid_request', 'Send the content with its length.')
  if (lengthOf(request) > bodyMaxBytesOf(knownRoute ?? {}))
    throw new AppError('too-large', 'body_too_large', 'The request is too large.')
}

/**
 * Creates two stages that wait until the whole body has arrived. A slow sender then occupies a connection of the gateway,
 * for `timeoutMs`, and none of a service. `small` reads bodies of up to 64 kB; `large` reads the others, and runs after the
 * rate limits of the route. A stream is left to the proxy.
 */
export function bufferBodies({
  timeoutMs,
  bounds,
  onRefused,
  onHeld,
}: BodyOptions): Record<'small' | 'large', Stage> {
  const people = bounds && createBodyBudget(bounds.people)
  const webhooks = bounds && createBodyBudget(bounds.webhooks)

  const buffer = ({ request, response, address, knownRoute, defer }: UpstreamRequest) => {
    const budget = knownRoute?.access === 'webhook' ? webhooks : people
    const length = lengthOf(request)
    return readBody(request, timeoutMs, (giveUp) => {
      const endForOthers = () => {
        onRefused('bodies')
        giveUp()
      }
      const taken = budget?.take(networksOf(address), length, endForOthers)
      if (typeof taken === 'string') {
        onRefused(taken)
        // Each body that is in progress now will have arrived or been given up after this time.
        throw tooManyRequests(response, knownRoute, timeoutMs)
      }
      if (!taken) return undefined
      onHeld?.(length)
      defer(() => {
        taken.release()
        onHeld?.(-length)
      })
      return taken
    })
  }
  const stage =
    (isMeant: (request: IncomingMessage) => boolean): Stage =>
    (upstream) => {
      const { request, knownRoute } = upstream
      if (lengthOf(request) > 0 && !isStreamed(knownRoute) && isMeant(request)) return buffer(upstream)
    }
  return { small: stage((request) => !isLarge(request)), large: stage(isLarge) }
}

const isStreamed = (route: UpstreamRequest['knownRoute']) =>
  route !== undefined && bodyKindOf(route) === 'stream'

const lengthRequired = () =>
  new AppError('length-required', 'length_required', 'Send the file with its length.')

/** Refuses a body on a route that takes none. */
export const refuseUnexpectedBody: Stage = ({ route, request }) => {
  if (!route.body && lengthOf(request) > 0)
    throw new AppError('invalid', 'invalid_request', 'This request must not have a body.')
}

/**
 * Reads the body and puts it back, so that the proxy finds an untouched request. `claim` is called first. It may throw, and
 * may later end the reading by `giveUp`.
 */
function readBody(
  request: IncomingMessage,
  timeoutMs: number,
  claim: (giveUp: () => void) => BodyClaim | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const length = lengthOf(request)
    // The pieces are copied, because many small ones would take several times their length.
    let whole: Buffer | undefined
    let size = 0
    const stop = () => {
      clearTimeout(timer)
      request.pause()
      request.off('data', take).off('close', giveUp)
    }
    const take = (chunk: Buffer) => {
      if (chunk.length < length) {
        whole ??= Buffer.allocUnsafeSlow(length)
        chunk.copy(whole, size)
      }
      size += chunk.length
      if (size < length) return
      stop()
      held?.arrived()
      // The body is put back within this handler, because a stream that has emitted 'end' takes nothing back.
      request.unshift(whole ?? chunk)
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
    const held = claim(giveUp)
    const timer = setTimeout(giveUp, timeoutMs)
    request.on('data', take).once('close', giveUp)
  })
}
