import { createHash, timingSafeEqual } from 'node:crypto'
import type { InternalRouteContract, ServiceName } from '@sumlock/contracts/route'
import type { IRouter, RequestHandler } from 'express'
import { AppError } from './app-error.ts'
import { requestStateOf } from './request-state.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** Returns the Authorization header with which a service calls an internal route of another. */
export const internalCredential = (caller: ServiceName, secret: string): string =>
  `Internal ${caller}:${secret}`

/** Each caller has one SHA-256 hash in hex or, during a rotation of its secret, two. */
export type InternalCallers = Readonly<Record<string, string | readonly string[]>>

/**
 * Accepts a request if the route's contract names its caller and the secret matches a configured hash. Throws 403
 * otherwise.
 */
export function internalGuard(contract: InternalRouteContract, callers: InternalCallers): RequestHandler {
  return (request, response, next) => {
    const [, name, secret] = /^Internal ([a-z]+):(.+)$/.exec(request.headers.authorization ?? '') ?? []
    const expected = name !== undefined && Object.hasOwn(callers, name) ? [callers[name] ?? []].flat() : []
    const known =
      secret !== undefined &&
      expected.some((hash) => timingSafeEqual(sha256(secret), Buffer.from(hash, 'hex')))
    if (!known || !contract.callers.includes(name as ServiceName)) {
      throw new AppError('forbidden', 'not_allowed', 'This route is for other services only.')
    }
    requestStateOf(response).callingService = name as ServiceName
    next()
  }
}

/** Adds `internalGuard` to a route. Call it before the handler is bound. */
export function guardInternalRoute(
  router: IRouter,
  contract: InternalRouteContract,
  callers: InternalCallers,
): void {
  router.use(contract.path, internalGuard(contract, callers))
}
