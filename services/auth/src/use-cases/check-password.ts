import type { Context } from '../context.ts'
import { wrongCredentials } from '../domain/errors.ts'
import type { User } from '../domain/user.ts'

/** Throws `wrong_credentials` unless it is the account's password. Without an account it takes as long, and throws. */
export async function checkPassword(ctx: Context, user: User | null, password: string): Promise<void> {
  const isRight = await ctx.inTurn(() => ctx.compare(password, user?.passwordHash ?? null))
  if (!isRight) throw wrongCredentials()
}
