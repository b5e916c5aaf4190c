import type { Context } from '../context.ts'
import { announceLimits } from './announce-limits.ts'

// Clients fetch when they connect: what ended long before a start of this service needs no announcement.
const lookBackMs = 3_600_000

/**
 * Announces premium that has just expired, since billing publishes no event for a plain expiry. Marked afterwards: two
 * replicas, or a crash in between, may announce it twice, which does no harm.
 */
export async function announceExpiries(ctx: Context, now: Date): Promise<void> {
  const ends = await ctx.entitlementStore.unannouncedEnds(new Date(now.getTime() - lookBackMs), now)
  for (const { userId, end } of ends) {
    try {
      await announceLimits(ctx, userId)
      await ctx.entitlementStore.markAnnounced(userId, end)
    } catch (error) {
      // It stays unmarked for the next run, and the others go on.
      ctx.logger.warn({ err: error, userId }, 'expiry could not be announced and will be tried again')
    }
  }
}
