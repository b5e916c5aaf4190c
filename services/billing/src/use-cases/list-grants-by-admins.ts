import type { Access } from '@sumlock/contracts/admin-action-routes'
import type { Caller } from '@sumlock/service-kit/caller'
import { requireSteppedUp } from '@sumlock/service-kit/step-up'
import type { Context } from '../context.ts'

const listedAtMost = 100

/** Lists when an administrator gave the caller premium, newest first. */
export async function listGrantsByAdmins(ctx: Context, caller: Caller): Promise<Access[]> {
  requireSteppedUp(caller, ctx.clock.nowMs())
  const minutes = await ctx.adminActions.minutesOf(caller.userId, ['premium-granted'], listedAtMost)
  return minutes.map(({ at, days }) => ({ at: at.toISOString(), action: 'premium-granted', days }))
}
