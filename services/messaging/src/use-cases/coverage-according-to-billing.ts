import type { Context } from '../context.ts'
import { isPremiumAt, premiumUntilOf } from '../domain/entitlement.ts'
import type { AccountStatus } from '../domain/entitlement.ts'

export type CoverageContext = Pick<Context, 'askBilling' | 'deniedUntil' | 'clock' | 'logger'>

/** After a call that billing did not answer, sends of the pair are refused without a new call for this time. */
const silenceMs = 2000

/**
 * Asks billing before a send is refused, because messaging's copy may lack a new payment. A negative answer holds for every
 * send that arrived (`performance.now()`, ms) before the call, so that many waiting sends make one call, and a send after a
 * payment makes a new call. A missing answer counts as negative for two seconds. Resolves with the status of a member who
 * has premium, or with null.
 */
export async function coverageAccordingToBilling(
  ctx: CoverageContext,
  memberIds: readonly string[],
  arrivedMs: number,
): Promise<AccountStatus | null> {
  const pair = memberIds.join(':')
  if ((ctx.deniedUntil.get(pair) ?? -Infinity) >= arrivedMs) return null
  const askedMs = performance.now()
  const answers = await Promise.all(memberIds.map((userId) => askBilling(ctx, userId)))
  for (const answer of answers) if (answer !== 'silent' && isPremiumAt(answer, ctx.clock.now())) return answer
  ctx.deniedUntil.set(pair, answers.includes('silent') ? performance.now() + silenceMs : askedMs)
  return null
}

async function askBilling(ctx: CoverageContext, userId: string): Promise<AccountStatus | 'silent'> {
  try {
    const entitlement = await ctx.askBilling(userId)
    return { premiumUntil: premiumUntilOf(entitlement) }
  } catch (error) {
    ctx.logger.warn(
      { err: error },
      'billing did not answer about premium; for two seconds, no answer counts as no premium',
    )
    return 'silent'
  }
}
