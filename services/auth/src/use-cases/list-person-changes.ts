import { changesPerPage } from '@sumlock/contracts/internal-routes'
import type { Context } from '../context.ts'
import { toPerson } from '../domain/user.ts'

/** Lists people who registered or whose public data changed at `since` or later, oldest change first. */
export async function listPersonChanges(ctx: Pick<Context, 'users'>, since: Date) {
  const users = await ctx.users.changedSince(since, changesPerPage)
  return users.map((user) => ({
    person: toPerson(user),
    changedAt: (user.changedAt ?? since).toISOString(),
  }))
}
