import type { ListedAccount } from '@sumlock/contracts/admin-routes'
import type { Context } from '../context.ts'
import { toListedAccount } from '../domain/user.ts'

export interface UserQuery {
  limit: number
  before?: string | undefined
  q?: string | undefined
}

/** A page of people for an admin. What is shown is in the access log of each person before it is answered. */
export async function listUsers(
  ctx: Context,
  { adminId, ...query }: UserQuery & { adminId: string },
): Promise<{ accounts: ListedAccount[]; total: number }> {
  const { users, total } = await ctx.users.page(query)
  await ctx.accessLog.add(
    adminId,
    users.map(({ _id }) => _id),
    ctx.clock.now(),
  )
  return { accounts: users.map(toListedAccount), total }
}
