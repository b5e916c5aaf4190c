import { createHash, timingSafeEqual } from 'node:crypto'
import type { InternalRouteContract, ServiceName } from '@sumlock/contracts/route'
import type { IRouter, RequestHandler } from 'express'
import { AppError } from './app-error.ts'
import { requestStateOf } from './request-state.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** The Authorization header of a service that calls another. */
export const internalCredential = (caller: ServiceName, secret: string): string =>
  `Internal ${caller}:${secret}`

/** The hashes of each caller's secret: one, or two that are valid during a rotation. */
export type InternalCallers = Readonly<Record<string, string | readonly string[]>>

/**
 * Accepts a caller that the internal route names, if its secret hashes to a configured value; throws 403 otherwise.
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

/** Guards an internal route. Call it before the handler is bound. */
export function guardInternalRoute(
  router: IRouter,
  contract: InternalRouteContract,
  callers: InternalCallers,
): void {
  router.use(contract.path, internalGuard(contract, callers))
}
