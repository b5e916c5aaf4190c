import type { Context } from '../context.ts'
import { publishLimitsChanged } from './publish-limits-changed.ts'

/** Longer than any transaction of billing: a change may become visible after a later one. */
const overlapMs = 60_000
const firstLookBackMs = 24 * 3_600_000

/**
 * Returns a function that stores what the events of billing did not bring: Kafka may be down, or an event lost. Each run
 * asks for the changes since the last one.
 */
export function createReconcileEntitlements(ctx: Context): () => Promise<void> {
  let seenUntilMs = ctx.clock.nowMs() - firstLookBackMs
  return async () => {
    let since = new Date(seenUntilMs - overlapMs)
    for (;;) {
      const page = await ctx.askEntitlementChanges(since)
      for (const { entitlement } of page) {
        if (!(await ctx.entitlementStore.save(entitlement))) continue
        ctx.entitlements.drop(entitlement.userId)
        await publishLimitsChanged(ctx, entitlement.userId)
      }
      const last = page.at(-1)
      if (!last) return
      seenUntilMs = Math.max(seenUntilMs, Date.parse(last.changedAt))
      // A page that did not get further was the last one, or one instant has more changes than a page.
      if (Date.parse(last.changedAt) <= since.getTime()) return
      since = new Date(last.changedAt)
    }
  }
}
