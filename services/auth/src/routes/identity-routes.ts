import * as contract from '@sumlock/contracts/identity-routes'
import { noSession } from '@sumlock/service-kit/app-error'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import type { Context } from '../context.ts'
import { keyStateOf } from '../domain/user-key.ts'
import { keepIdentity } from '../use-cases/keep-identity.ts'
import { renewIdentity } from '../use-cases/renew-identity.ts'

export function bindIdentityRoutes(bind: RouteBinder, ctx: Context): void {
  bind(contract.getIdentities, async ({ caller }) => {
    const [user, session] = await Promise.all([
      ctx.users.byId(caller.userId),
      ctx.sessions.byId(caller.sessionId, ctx.clock.now()),
    ])
    if (!user || !session) throw noSession()
    return keyStateOf(user, session.copyKey ?? null)
  })

  bind(contract.putIdentity, async ({ body, caller }) => {
    const { pinVersion, ...key } = body
    await keepIdentity(ctx, { ...caller, key, pinVersion })
    return { ok: true as const }
  })

  bind(contract.renewIdentity, async ({ body, caller }) => {
    const { currentNumericPassword: pin, ...next } = body
    await renewIdentity(ctx, { ...caller, pin }, next)
    return { ok: true as const }
  })
}
