import type { Context } from '../context.ts'

const rememberNoMs = 2000

/** Whether either side has premium now, by the projection (at most a second old). */
export async function isCovered(ctx: Context, memberIds: readonly string[]): Promise<boolean> {
  const ends = await Promise.all(memberIds.map((id) => ctx.entitlements.premiumUntil(id)))
  return ends.some((until) => until !== null && until > ctx.clock.now())
}

/**
 * Asks billing itself before somebody is refused, so that a payer is never sent away by a late event. Keeps a "no" for
 * two seconds; when billing does not answer it is a no.
 */
export async function isCoveredAccordingToBilling(
  ctx: Context,
  memberIds: readonly string[],
): Promise<boolean> {
  const pair = memberIds.join(':')
  const deniedAt = ctx.denials.get(pair)
  if (deniedAt !== undefined && ctx.clock.nowMs() - deniedAt < rememberNoMs) return false
  try {
    await Promise.all(
      memberIds.map(async (userId) => {
        await ctx.entitlementStore.save(await ctx.askBilling(userId))
        ctx.entitlements.drop(userId)
      }),
    )
    if (await isCovered(ctx, memberIds)) return true
  } catch (error) {
    ctx.logger.warn({ err: error }, 'billing did not answer before a refusal')
  }
  if (ctx.denials.size > 10_000) ctx.denials.clear()
  ctx.denials.set(pair, ctx.clock.nowMs())
  return false
}
