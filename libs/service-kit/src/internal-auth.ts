import { createHash, timingSafeEqual } from 'node:crypto'
import type { InternalRouteContract, ServiceName } from '@sumlock/contracts/route'
import type { IRouter, RequestHandler } from 'express'
import { AppError } from './app-error.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** The Authorization value one service shows another. */
export const internalCredential = (caller: ServiceName, secret: string): string =>
  `Internal ${caller}:${secret}`

/**
 * Lets a service in on an internal route if the route names it as a caller and its secret hashes to the configured value.
 */
export function internalGuard(
  contract: InternalRouteContract,
  callers: Readonly<Record<string, string>>,
): RequestHandler {
  return (request, _response, next) => {
    const [, name, secret] = /^Internal ([a-z]+):(.+)$/.exec(request.headers.authorization ?? '') ?? []
    const expected = name !== undefined && Object.hasOwn(callers, name) ? callers[name] : undefined
    const known =
      expected !== undefined &&
      secret !== undefined &&
      timingSafeEqual(sha256(secret), Buffer.from(expected, 'hex'))
    if (!known || !contract.callers.includes(name as ServiceName)) {
      throw new AppError('forbidden', 'not_allowed', 'This door is for other services.')
    }
    next()
  }
}

/** Puts the guard of a contract before its handler. Call it before the handler is bound. */
export function guardInternalRoute(
  router: IRouter,
  contract: InternalRouteContract,
  callers: Readonly<Record<string, string>>,
): void {
  router.use(contract.path, internalGuard(contract, callers))
}
