import type { Context } from '../context.ts'
import { tooManySignIns, wrongCredentials } from '../domain/errors.ts'
import { hashOpaque } from '../domain/opaque.ts'
import { usernameKey } from '../domain/user.ts'
import type { User } from '../domain/user.ts'

export interface PasswordEntry {
  username: string
  /** Null when the username is free: that must look and last the same. */
  user: User | null
  password: string
  /** The session, alive or not, whose cookie this browser shows, if it is one of this user. */
  knownSessionId: string | null
}

/**
 * Throws unless it is the account's password. Wrong ones are counted by username, but those of a device that was signed in
 * are counted apart: guesses of strangers must not keep the owner out.
 */
export async function checkPassword(ctx: Context, entry: PasswordEntry): Promise<User> {
  const { user, password, knownSessionId } = entry
  const counter = hashOpaque(
    knownSessionId ? `session:${knownSessionId}` : `username:${usernameKey(entry.username)}`,
  )
  // A paused person must not occupy the hash queue. The pause is checked again when the try is counted.
  const askedAt = ctx.clock.now()
  refuseWhilePaused(await ctx.signInAttempts.pausedUntil(counter, askedAt), askedAt)
  // A full queue costs no try: the try is counted when its turn has come.
  return ctx.limitHashing(async () => {
    const now = ctx.clock.now()
    const { pausedUntil } = await ctx.signInAttempts.take(counter, now)
    refuseWhilePaused(pausedUntil, now)
    const isRight = await ctx.passwords.matches(password, user?.passwordHash ?? null)
    if (!user || !isRight) throw wrongCredentials()
    await ctx.signInAttempts.clear(counter)
    if (ctx.passwords.isOutdated(user.passwordHash))
      await ctx.users.replacePasswordHash(user, await ctx.passwords.hash(password))
    return user
  })
}

function refuseWhilePaused(pausedUntil: Date | null, now: Date): void {
  if (pausedUntil) throw tooManySignIns(pausedUntil.getTime() - now.getTime())
}
