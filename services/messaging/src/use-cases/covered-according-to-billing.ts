import type { Context } from '../context.ts'
import { premiumUntilOf } from '../domain/entitlement.ts'
import type { EntitlementStore } from '../stores/entitlement-store.ts'

export interface CoverageContext extends Pick<
  Context,
  'entitlements' | 'askBilling' | 'denials' | 'clock' | 'logger'
> {
  entitlementStore: Pick<EntitlementStore, 'save'>
}

const denialTtlMs = 2000

/**
 * Asks billing itself before a send is refused, because the event of a payment may be late. A negative answer is kept for
 * two seconds; no answer counts as a negative one.
 */
export async function isCoveredAccordingToBilling(
  ctx: CoverageContext,
  memberIds: readonly string[],
): Promise<boolean> {
  const pair = memberIds.join(':')
  const deniedAt = ctx.denials.get(pair)
  if (deniedAt !== undefined && ctx.clock.nowMs() - deniedAt < denialTtlMs) return false
  const answers = await Promise.all(memberIds.map((userId) => isPremiumAccordingToBilling(ctx, userId)))
  if (answers.includes(true)) return true
  ctx.denials.set(pair, ctx.clock.nowMs())
  return false
}

async function isPremiumAccordingToBilling(ctx: CoverageContext, userId: string): Promise<boolean> {
  try {
    const entitlement = await ctx.askBilling(userId)
    await ctx.entitlementStore.save(entitlement)
    ctx.entitlements.drop(userId)
    const until = premiumUntilOf(entitlement)
    return until !== null && until > ctx.clock.now()
  } catch (error) {
    ctx.logger.warn({ err: error }, 'billing did not answer; the send is refused by the projection')
    return false
  }
}
