import { requireSteppedUp } from '@sumlock/service-kit/step-up'
import type { Caller } from '@sumlock/service-kit/caller'
import type { Context } from '../context.ts'
import { expiryOf, segmentsOf } from '../domain/ledger.ts'

/** Why the caller has premium. Not for a session that is locked for long: in discreet mode, it must not learn that. */
export async function getTimeline(ctx: Context, caller: Caller) {
  requireSteppedUp(caller, ctx.clock.nowMs())
  const now = ctx.clock.now()
  const grants = await ctx.ledger.grantsOf(caller.userId)
  const segments = segmentsOf(grants)
    .filter(({ startsAt, endsAt }) => endsAt > now && endsAt > startsAt)
    .sort((left, right) => left.startsAt.getTime() - right.startsAt.getTime())
  return {
    premiumUntil: expiryOf(grants)?.toISOString() ?? null,
    segments: segments.map(({ source, startsAt, endsAt }) => ({
      source,
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
    })),
  }
}
