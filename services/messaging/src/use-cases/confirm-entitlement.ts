import type { Entitlement } from '@sumlock/contracts/internal-routes'
import type { Context } from '../context.ts'
import { premiumUntilOf } from '../domain/entitlement.ts'
import { publishLimitsChanged } from './publish-limits-changed.ts'

/**
 * Stores what billing itself says of a person, then publishes changed limits to both sides. Whoever reaches Kafka could
 * write the event, so one that claims more than billing is counted, and changes nothing. Throws `unavailable` while billing
 * is away.
 */
export async function confirmEntitlement(ctx: Context, type: string, claimed: Entitlement): Promise<void> {
  const entitlement = await ctx.askBilling(claimed.userId)
  if (claimsMore(claimed, entitlement, ctx.clock.now())) {
    ctx.unconfirmedRecords.inc({ type })
    ctx.logger.warn({ userId: claimed.userId, type }, 'billing did not confirm an event of premium')
    return
  }
  await ctx.entitlementStore.save(entitlement)
  ctx.entitlements.drop(entitlement.userId)
  await publishLimitsChanged(ctx, entitlement.userId)
}

/** A real event is older than the answer or of the same version, with the same end unless that has passed meanwhile. */
function claimsMore(claimed: Entitlement, confirmed: Entitlement, now: Date): boolean {
  const hasNoLedger = confirmed.version === 0
  if (hasNoLedger) return true
  if (claimed.version !== confirmed.version) return claimed.version > confirmed.version
  const [claimedEnd, end] = [premiumUntilOf(claimed), premiumUntilOf(confirmed)]
  return claimedEnd !== null && claimedEnd > now && (end === null || claimedEnd > end)
}
