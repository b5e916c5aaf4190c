import type { Context } from '../context.ts'
import { toPerson } from '../domain/user.ts'

const pageSize = 200

/** The people who registered or whose public state changed since, oldest change first. */
export async function listPersonChanges(ctx: Pick<Context, 'users'>, since: Date) {
  const users = await ctx.users.changedSince(since, pageSize)
  return users.map((user) => ({
    person: toPerson(user),
    changedAt: (user.changedAt ?? since).toISOString(),
  }))
}
