import type { Person } from '@sumlock/contracts/internal-routes'
import type { Context } from '../context.ts'
import { normalizeUserCode } from '../domain/user-code.ts'
import { toPerson } from '../domain/user.ts'

/** Finds a person by code or id; resolves with null when there is none, or the code is not valid. */
export async function findPerson(
  ctx: Context,
  input: { userCode?: string | undefined; userId?: string | undefined },
): Promise<Person | null> {
  const code = input.userCode === undefined ? null : normalizeUserCode(input.userCode)
  const user = code
    ? await ctx.users.byUserCode(code)
    : input.userId
      ? await ctx.users.byId(input.userId)
      : null
  // No conversation can be started with the code of a person who is leaving.
  return !user || (code && user.purgeAt) ? null : toPerson(user)
}
