import { on } from '@sumlock/bus/handler'
import { subscriptionActivated, subscriptionEnded } from '@sumlock/contracts/billing-events'
import type { Entitlement } from '@sumlock/contracts/internal-routes'
import type { Context } from '../context.ts'
import { announceLimits } from '../use-cases/announce-limits.ts'

/** Keeps until when people are premium (the highest version wins), then announces it to both sides. */
export const subscriptionHandlers = (ctx: Context) => {
  const save = async ({ data }: { data: Entitlement }) => {
    await ctx.entitlementStore.save(data)
    ctx.entitlements.drop(data.userId)
    await announceLimits(ctx, data.userId)
  }
  return [on(subscriptionActivated, save), on(subscriptionEnded, save)]
}
