import type { Context } from '../context.ts'
import { readFrom } from './handle-notification.ts'
import { acknowledge, syncStoreState } from './sync-store-state.ts'

const dayMs = 86_400_000
/** A subscription that ended longer ago is read only after a notification of its store. */
const endedForDays = 60
const batch = 100

/**
 * Acknowledges open purchases, and reads each subscription from its store once a day, because a change may have gone
 * unnoticed.
 */
export async function recheckSubscriptions(ctx: Context, now: Date): Promise<void> {
  for (const row of await ctx.mobileSubscriptions.unacknowledged(batch)) await acknowledge(ctx, row)
  const uncheckedSince = new Date(now.getTime() - dayMs)
  const endedSince = new Date(now.getTime() - endedForDays * dayMs)
  for (let checked = 0; checked < batch; checked += 1) {
    const row = await ctx.mobileSubscriptions.claimUnchecked(uncheckedSince, endedSince, now)
    if (!row) return
    const storeId = row.originalTransactionId ?? row.purchaseToken ?? ''
    try {
      await syncStoreState(ctx, () => readFrom(ctx, row.platform, storeId), null)
    } catch (error) {
      ctx.logger.warn({ err: error, subscriptionId: row._id }, 'store subscription could not be checked')
    }
  }
}
