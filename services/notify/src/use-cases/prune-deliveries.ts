import type { Context } from '../context.ts'

/** Kafka keeps notices for less time, so a notice that is received again still finds its delivery and is not sent twice. */
export const keepDeliveriesMs = 14 * 24 * 3600 * 1000
const batchSize = 1000

/** Removes settled deliveries older than two weeks; resolves with their number. */
export async function pruneDeliveries(ctx: Pick<Context, 'deliveries' | 'clock'>): Promise<number> {
  const before = new Date(ctx.clock.nowMs() - keepDeliveriesMs)
  let removed = 0
  for (;;) {
    const count = await ctx.deliveries.prune(before, batchSize)
    removed += count
    if (count < batchSize) return removed
  }
}
