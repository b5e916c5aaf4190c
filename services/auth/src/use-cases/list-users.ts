import type { ListedAccount } from '@sumlock/contracts/admin-routes'
import { AppError } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { toListedAccount } from '../domain/user.ts'

export interface UserQuery {
  limit: number
  before?: string | undefined
  q?: string | undefined
}

/**
 * Lists a page of people for an administrator. Everybody who is shown, or was named in the request, is recorded before the
 * answer. The number of results of a search is left out, because it would reveal people whom no record names.
 */
export async function listUsers(
  ctx: Context,
  { adminId, ...query }: UserQuery & { adminId: string },
): Promise<{ accounts: ListedAccount[]; total: number | undefined }> {
  const page = await ctx.administeredUsers.page(query)
  if (!page)
    throw new AppError(
      'not-found',
      'not_found',
      'A user of the previous page no longer exists. Please load the list again.',
    )
  const { users, total } = page
  const action = query.q === undefined ? 'users-listed' : 'users-searched'
  const personIds = [...(query.before ? [query.before] : []), ...users.map(({ _id }) => _id)]
  await ctx.adminActions.add({ adminId, action, personIds }, ctx.clock.now())
  return { accounts: users.map(toListedAccount), total }
}
