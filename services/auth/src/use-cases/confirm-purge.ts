import type { Context } from '../context.ts'

/**
 * Returns whether an account was removed permanently. An account that a restore has brought back counts as removed only
 * after its next purge.
 */
export async function confirmPurge(
  ctx: Pick<Context, 'purgedIds' | 'users'>,
  userId: string,
): Promise<{ isDue: boolean; isRepeated: boolean }> {
  const [isRepeated, user] = await Promise.all([ctx.purgedIds.isRepeated(userId), ctx.users.byId(userId)])
  return { isDue: isRepeated !== undefined && !user, isRepeated: isRepeated === true }
}
