import { clearConversations } from '@sumlock/contracts/internal-routes'
import type { Context } from '../context.ts'
import type { User } from '../domain/user.ts'

/**
 * Makes messaging clear the conversations after a reset, and records that it did. Throws `unavailable` when messaging does
 * not answer.
 */
export async function clearAfterReset(
  ctx: Context,
  { _id: userId, resetAt }: Pick<User, '_id' | 'resetAt'>,
): Promise<void> {
  if (!resetAt) return
  await ctx.messaging.call(clearConversations, {
    params: { userId },
    body: { resetAt: resetAt.toISOString() },
  })
  await ctx.users.settleClearing(userId, resetAt)
}
