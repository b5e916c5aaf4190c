import type { Context } from '../context.ts'

/** Whether an account was removed for good. One that a restore has brought back is not, until it is purged again. */
export async function confirmPurge(
  ctx: Pick<Context, 'purgedIds' | 'users'>,
  userId: string,
): Promise<{ isDue: boolean; isRepeated: boolean }> {
  const [isRepeated, user] = await Promise.all([ctx.purgedIds.isRepeated(userId), ctx.users.byId(userId)])
  return { isDue: isRepeated !== undefined && !user, isRepeated: isRepeated === true }
}
