import * as lockRoutes from '@sumlock/contracts/lock-routes'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import { Reply } from '@sumlock/service-kit/reply'
import type { Context } from '../context.ts'
import { changePin } from '../use-cases/change-pin.ts'
import { lock } from '../use-cases/lock.ts'
import { probePin } from '../use-cases/probe-pin.ts'
import { reportActivity } from '../use-cases/report-activity.ts'
import { setUpPin } from '../use-cases/set-up-pin.ts'
import { unlock } from '../use-cases/unlock.ts'
import { setDeviceMarker } from './device-marker.ts'

export function bindLockRoutes(bind: RouteBinder, ctx: Context): void {
  bind(lockRoutes.setupNumericPassword, async ({ body, caller }) => {
    const { numericPassword: pin, isDiscreet: wanted } = body
    const { isDiscreet } = await setUpPin(ctx, { ...caller, pin, isDiscreet: wanted })
    return new Reply(200, { ok: true as const }, { 'set-cookie': setDeviceMarker(ctx.config, isDiscreet) })
  })

  bind(lockRoutes.verifyNumericPassword, ({ body, caller }) => {
    const entry = { userId: caller.userId, sessionId: caller.sessionId, pin: body.numericPassword }
    if (body.intent === 'probe') return probePin(ctx, entry)
    return unlock(ctx, entry, body.entry)
  })

  bind(lockRoutes.changeNumericPassword, async ({ body, caller }) => {
    const { currentNumericPassword: pin, numericPassword, boxes, pinVersion } = body
    await changePin(ctx, { ...caller, pin }, { pin: numericPassword, boxes, pinVersion })
    return { ok: true as const }
  })

  bind(lockRoutes.lock, async ({ caller }) => {
    await lock(ctx, caller)
    return { ok: true as const }
  })

  bind(lockRoutes.reportActivity, ({ caller }) => reportActivity(ctx, caller))
}
