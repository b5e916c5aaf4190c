import { on } from '@sumlock/bus/handler'
import { subscriptionActivated, subscriptionEnded } from '@sumlock/contracts/billing-events'
import type { Entitlement } from '@sumlock/contracts/internal-routes'
import type { Context } from '../context.ts'

/** Keeps until when people are premium; the highest version wins. */
export const subscriptionHandlers = (ctx: Context) => {
  const save = async ({ data }: { data: Entitlement }) => {
    await ctx.entitlementStore.save(data)
    ctx.entitlements.drop(data.userId)
  }
  return [on(subscriptionActivated, save), on(subscriptionEnded, save)]
}
