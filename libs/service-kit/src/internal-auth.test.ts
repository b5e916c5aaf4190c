import { createHash } from 'node:crypto'
import { isMember } from '@sumlock/contracts/internal-routes'
import type { IRouter, Request, Response } from 'express'
import { guardInternalRoute, internalCredential, internalGuard } from './internal-auth.ts'
import type { InternalCallers } from './internal-auth.ts'
import { startRequestState } from './request-state.ts'

const secrets = { realtime: 'secret of realtime', gateway: 'secret of gateway' }
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
const callers = { realtime: hashOf(secrets.realtime), gateway: hashOf(secrets.gateway) }

/** Returns the service as which the guard accepts this Authorization header, or false if it refuses the header. */
function letInAs(
  authorization: string | undefined,
  known: InternalCallers = callers,
): string | undefined | false {
  const response = {} as Response
  const state = startRequestState(response, { requestId: 'r', cookies: {} })
  let passed = false
  try {
    void internalGuard(isMember, known)({ headers: { authorization } } as Request, response, () => {
      passed = true
    })
  } catch (error) {
    expect(error).toMatchObject({ status: 403, code: 'not_allowed' })
  }
  return passed && state.callingService
}

it('admits only a caller that the route names, as itself, although another one is known', () => {
  expect(isMember.callers).toEqual(['realtime'])
  expect(letInAs(internalCredential('realtime', secrets.realtime))).toBe('realtime')
  expect(letInAs(internalCredential('gateway', secrets.gateway))).toBe(false)
})

it('admits a caller with its new secret and its former one while both are configured, and with no third', () => {
  const rotating = { realtime: [hashOf('new'), hashOf(secrets.realtime)] }
  const enter = (secret: string) => letInAs(internalCredential('realtime', secret), rotating)
  expect(enter('new')).toBe('realtime')
  expect(enter(secrets.realtime)).toBe('realtime')
  expect(enter('older')).toBe(false)
})

it.each([
  ['nothing', undefined],
  ['the secret of another', internalCredential('realtime', secrets.gateway)],
  ['no secret', 'Internal realtime:'],
  ['an unknown caller', internalCredential('billing', 'anything')],
  ['the name of an inherited property', 'Internal constructor:anything'],
  ['a token of a person', 'Bearer abc.def.ghi'],
])('refuses an internal request with %s', (_what, authorization) => {
  expect(letInAs(authorization)).toBe(false)
})

it('guards the path of its internal contract', () => {
  const used: unknown[] = []
  const router = { use: (...args: unknown[]) => used.push(args) } as unknown as IRouter
  guardInternalRoute(router, isMember, callers)
  expect(used).toEqual([[isMember.path, expect.any(Function)]])
})
