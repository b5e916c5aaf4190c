import type { ListedAccount } from '@sumlock/contracts/admin-routes'
import { AppError } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { toListedAccount } from '../domain/user.ts'

export interface UserQuery {
  limit: number
  before?: string | undefined
  q?: string | undefined
}

/** A page of people for an admin. It is noted, with all who are shown, before it is answered. */
export async function listUsers(
  ctx: Context,
  { adminId, ...query }: UserQuery & { adminId: string },
): Promise<{ accounts: ListedAccount[]; total: number }> {
  const page = await ctx.administeredUsers.page(query)
  if (!page)
    throw new AppError(
      'not-found',
      'not_found',
      'The last user of the page before is gone. Load the list again.',
    )
  const { users, total } = page
  const action = query.q === undefined ? 'users-listed' : 'users-searched'
  await ctx.adminActions.add({ adminId, action, personIds: users.map(({ _id }) => _id) }, ctx.clock.now())
  return { accounts: users.map(toListedAccount), total }
}
