import type { Context } from '../context.ts'
import { wrongCredentials } from '../domain/errors.ts'
import { usernameKey } from '../domain/user.ts'
import type { User } from '../domain/user.ts'
import { checkPassword } from './check-password.ts'

/** Finds the person behind a username and password. A name nobody has takes as long as a wrong password. */
export async function login(ctx: Context, input: { username: string; password: string }): Promise<User> {
  const user = await ctx.users.byUsernameKey(usernameKey(input.username.trim()))
  await checkPassword(ctx, user, input.password)
  if (!user) throw wrongCredentials()
  return user
}
