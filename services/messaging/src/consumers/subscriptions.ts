import { on } from '@sumlock/bus/handler'
import { subscriptionActivated, subscriptionEnded } from '@sumlock/contracts/billing-events'
import type { Entitlement } from '@sumlock/contracts/internal-routes'
import type { Context } from '../context.ts'
import { publishLimitsChanged } from '../use-cases/publish-limits-changed.ts'

/** Stores until when people have premium (the highest version wins), then publishes changed limits to both sides. */
export const subscriptionHandlers = (ctx: Context) => {
  const save = async ({ data }: { data: Entitlement }) => {
    await ctx.entitlementStore.save(data)
    ctx.entitlements.drop(data.userId)
    await publishLimitsChanged(ctx, data.userId)
  }
  return [on(subscriptionActivated, save), on(subscriptionEnded, save)]
}
