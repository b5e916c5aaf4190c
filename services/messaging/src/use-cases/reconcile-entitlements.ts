import type { Context } from '../context.ts'
import { publishLimitsChanged } from './publish-limits-changed.ts'
import { createReconcile } from './reconcile.ts'

/** Stores changes of entitlements whose events were missed. */
export const createReconcileEntitlements = (
  ctx: Context,
  hearsEvents: () => boolean,
): (() => Promise<void>) =>
  createReconcile({
    clock: ctx.clock,
    hearsEvents,
    ask: ctx.askEntitlementChanges,
    async apply(page) {
      for (const { entitlement } of page) {
        if (!(await ctx.entitlementStore.save(entitlement))) continue
        ctx.entitlements.drop(entitlement.userId)
        await publishLimitsChanged(ctx, entitlement.userId)
      }
    },
  })
