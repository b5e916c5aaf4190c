import type { Context } from '../context.ts'

/** Longer than Kafka keeps a notice, which could otherwise come a second time and be sent again. */
export const keepDeliveriesMs = 14 * 24 * 3600 * 1000
const batchSize = 1000

/** Removes deliveries that were sent, expired or failed and are older than two weeks; resolves with how many. */
export async function pruneDeliveries(ctx: Pick<Context, 'deliveries' | 'clock'>): Promise<number> {
  const before = new Date(ctx.clock.nowMs() - keepDeliveriesMs)
  let removed = 0
  for (;;) {
    const count = await ctx.deliveries.prune(before, batchSize)
    removed += count
    if (count < batchSize) return removed
  }
}
