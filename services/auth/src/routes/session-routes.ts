import * as contract from '@sumlock/contracts/auth-routes'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import {
  endSession as endContract,
  listSessions as listContract,
} from '@sumlock/contracts/session-list-routes'
import { noSession } from '@sumlock/service-kit/app-error'
import { Reply } from '@sumlock/service-kit/reply'
import type { Context } from '../context.ts'
import { changePassword } from '../use-cases/change-password.ts'
import { endOtherSessions } from '../use-cases/end-other-sessions.ts'
import { setDiscreetMode } from '../use-cases/set-discreet-mode.ts'
import { endSession } from '../use-cases/end-session.ts'
import { listSessions } from '../use-cases/list-sessions.ts'
import { resetApp } from '../use-cases/reset-app.ts'
import { setDeviceMarker } from './device-marker.ts'

const done = { ok: true as const }

export function bindSessionRoutes(bind: RouteBinder, ctx: Context): void {
  bind(lockRoutes.setDiscreetMode, async ({ body, caller }) => {
    await setDiscreetMode(ctx, { ...caller, isDiscreet: body.isDiscreet })
    return new Reply(200, done, { 'set-cookie': setDeviceMarker(ctx.config, body.isDiscreet) })
  })

  bind(listContract, ({ caller }) => listSessions(ctx, caller))

  bind(endContract, async ({ params, body, caller }) => {
    await endSession(ctx, { ...caller, password: body.password, endedId: params.sessionId })
    return done
  })

  bind(contract.endOtherSessions, async ({ body, caller }) => {
    await endOtherSessions(ctx, { ...caller, password: body.password })
    return done
  })

  bind(contract.changePassword, async ({ body, caller }) => {
    await changePassword(ctx, { ...caller, ...body })
    return done
  })

  bind(contract.resetApp, async ({ body, caller }) => {
    const { dueAt } = await resetApp(ctx, { ...caller, password: body.password })
    if (dueAt) return new Reply(200, { ...done, dueAt: dueAt.toISOString() })
    return new Reply(200, done, { 'set-cookie': setDeviceMarker(ctx.config, false) })
  })

  bind(lockRoutes.getOutboxKey, async ({ caller }) => {
    const user = await ctx.users.byId(caller.userId)
    if (!user) throw noSession()
    return { outboxKey: ctx.outboxKey(user) }
  })
}
