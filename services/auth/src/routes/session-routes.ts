import * as contract from '@sumlock/contracts/auth-routes'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import { Reply } from '@sumlock/service-kit/reply'
import type { Context } from '../context.ts'
import { changePassword } from '../use-cases/change-password.ts'
import { endOtherSessions } from '../use-cases/end-other-sessions.ts'
import { setDiscreetMode } from '../use-cases/set-discreet-mode.ts'
import { setDeviceMarker } from './device-marker.ts'

const done = { ok: true as const }

export function bindSessionRoutes(bind: RouteBinder, ctx: Context): void {
  bind(contract.setDiscreetMode, async ({ body, caller }) => {
    await setDiscreetMode(ctx, { ...caller, isDiscreet: body.isDiscreet })
    return new Reply(200, done, { 'set-cookie': setDeviceMarker(ctx.config, body.isDiscreet) })
  })

  bind(contract.endOtherSessions, async ({ body, caller }) => {
    await endOtherSessions(ctx, { ...caller, password: body.password })
    return done
  })

  bind(contract.changePassword, async ({ body, caller }) => {
    await changePassword(ctx, { ...caller, ...body })
    return done
  })

  bind(contract.getOutboxKey, ({ caller }) => ({ outboxKey: ctx.outboxKey(caller.userId) }))
}
