import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { account, discreetUser } from '@sumlock/contracts/user'
import type { WholeUser } from '@sumlock/contracts/user'
import { z } from 'zod'
import type { Context } from '../context.ts'

const authResponse = z.union([account, discreetUser])

/**
 * Completes auth's account with billing's subscription and, while unlocked, messaging's count. When one of them does not
 * answer, its fields get default values, because signing in must not fail because of it.
 */
export async function composeUser(ctx: Context, body: Buffer): Promise<string> {
  const known = authResponse.parse(JSON.parse(body.toString()))
  if (!isWholeUser(known)) return JSON.stringify(known)
  const withoutPart = (part: string) => (error: unknown) => {
    ctx.logger.warn({ err: error, part }, 'a service did not answer; the user gets default values')
    return undefined
  }
  const [entitlement, quota] = await Promise.all([
    ctx.entitlementOf(known.id).catch(withoutPart('subscription')),
    known.unlockedUntil ? ctx.quotaOf(known.id).catch(withoutPart('daily count')) : undefined,
  ])
  const user: WholeUser = {
    ...known,
    subscriptionType: entitlement?.subscriptionType ?? 'free',
    subscriptionExpiresAt: entitlement?.subscriptionExpiresAt ?? null,
    dailyMessageCount: quota?.dailyMessageCount ?? null,
    lastMessageDate: quota?.lastMessageDate ?? null,
  }
  return JSON.stringify(user)
}
