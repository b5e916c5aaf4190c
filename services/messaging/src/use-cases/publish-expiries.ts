import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { addLimitsChanged } from './publish-limits-changed.ts'

// Clients fetch their limits when they connect, so an expiry long before the start of this service need not be
// published.
const lookBackMs = 3_600_000
const publishedAtOnce = 500

/**
 * Publishes expiries of premium, for which billing publishes no event. An expiry is marked after it was published, so that
 * a crash or a second replica may publish it twice, which does no harm.
 */
export async function publishExpiries(
  ctx: Context,
  now: Date,
  { atOnce = publishedAtOnce, stopping }: { atOnce?: number; stopping?: AbortSignal } = {},
): Promise<void> {
  const period = { after: new Date(now.getTime() - lookBackMs), until: now }
  let failed = 0
  for (let hasMore = true; hasMore && !stopping?.aborted;) {
    const page = { skip: failed, limit: atOnce }
    const ends = await ctx.entitlementStore.unpublishedEnds(period, page)
    for (const one of ends) if (!(await publishExpiry(ctx, one))) failed += 1
    hasMore = ends.length === atOnce
  }
}

async function publishExpiry(ctx: Context, { userId, end }: { userId: string; end: Date }): Promise<boolean> {
  try {
    await transact(ctx.connection, (session) => addLimitsChanged(ctx, session, userId))
    ctx.outbox.kick()
    await ctx.entitlementStore.markEndPublished(userId, end)
    return true
  } catch (error) {
    // The expiry stays unmarked, so that the next run publishes it. This run continues with the other expiries.
    ctx.logger.warn({ err: error, userId }, 'expiry of premium could not be published and will be retried')
    return false
  }
}
