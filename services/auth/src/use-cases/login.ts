import type { Context } from '../context.ts'
import { hashOpaque } from '../domain/opaque.ts'
import { usernameKey } from '../domain/user.ts'
import type { User } from '../domain/user.ts'
import { checkPassword } from './check-password.ts'

export interface LoginInput {
  username: string
  password: string
  previousCookie: string | undefined
}

/** Finds the user by username and password. An unknown name takes as long as a wrong password. */
export async function login(ctx: Context, input: LoginInput): Promise<User> {
  const username = input.username.trim()
  const [user, previous] = await Promise.all([
    ctx.users.byUsernameKey(usernameKey(username)),
    input.previousCookie
      ? ctx.sessions.byCookieHash(hashOpaque(input.previousCookie), ctx.clock.now())
      : null,
  ])
  const isKnown = user !== null && previous?.userId === user._id
  return checkPassword(ctx, {
    username,
    user,
    password: input.password,
    knownSessionId: isKnown ? previous._id : null,
  })
}
