import { account } from '@sumlock/contracts/user'
import type { User } from '@sumlock/contracts/user'
import type { Context } from './context.ts'

/**
 * Completes auth's account with billing's subscription and, while unlocked, messaging's count. A part that does not
 * answer is left at its plainest value: signing in never fails because of it.
 */
export async function composeUser(ctx: Context, ownerAnswer: Buffer): Promise<string> {
  const known = account.parse(JSON.parse(ownerAnswer.toString()))
  const orElse = (what: string) => (error: unknown) => {
    ctx.logger.warn({ err: error }, `${what} left out of the user`)
    return undefined
  }
  const [entitlement, quota] = await Promise.all([
    ctx.entitlementOf(known.id).catch(orElse('subscription')),
    known.unlockedUntil ? ctx.quotaOf(known.id).catch(orElse('daily count')) : undefined,
  ])
  const user: User = {
    ...known,
    subscriptionType: entitlement?.subscriptionType ?? 'free',
    subscriptionExpiresAt: entitlement?.subscriptionExpiresAt ?? null,
    dailyMessageCount: quota?.dailyMessageCount ?? null,
    lastMessageDate: quota?.lastMessageDate ?? null,
  }
  return JSON.stringify(user)
}
