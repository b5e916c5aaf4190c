import type { Context } from '../context.ts'
import { publishLimitsChanged } from './publish-limits-changed.ts'

// Clients fetch their limits when they connect, so an expiry long before the start of this service need not be
// published.
const lookBackMs = 3_600_000

/**
 * Publishes expiries of premium, for which billing publishes no event. An expiry is marked afterwards: two replicas, or
 * a crash in between, may publish it twice, which does no harm.
 */
export async function publishExpiries(ctx: Context, now: Date): Promise<void> {
  const ends = await ctx.entitlementStore.unpublishedEnds(new Date(now.getTime() - lookBackMs), now)
  for (const { userId, end } of ends) {
    try {
      await publishLimitsChanged(ctx, userId)
      await ctx.entitlementStore.markEndPublished(userId, end)
    } catch (error) {
      // It stays unmarked for the next run, and the loop continues.
      ctx.logger.warn({ err: error, userId }, 'expiry of premium could not be published and will be retried')
    }
  }
}
