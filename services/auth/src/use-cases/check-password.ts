import type { Context } from '../context.ts'
import { tooManySignIns, wrongCredentials } from '../domain/errors.ts'
import { hashOpaque } from '../domain/opaque.ts'
import { usernameKey } from '../domain/user.ts'
import type { User } from '../domain/user.ts'
import { noteWrongPassword } from './note-wrong-password.ts'

export interface PasswordEntry {
  username: string
  /** Null for an unknown username: answer and duration must be the same. */
  user: User | null
  password: string
  /** The live session of this user whose cookie the browser sent; null without one. */
  knownSessionId: string | null
}

/**
 * Throws unless it is the account's password. Wrong passwords are counted per username. A device that is signed in has
 * its own count, so that guesses of strangers do not lock out the owner.
 */
export async function checkPassword(ctx: Context, entry: PasswordEntry): Promise<User> {
  const { user, password, knownSessionId } = entry
  const counter = knownSessionId ? counterOfSession(knownSessionId) : counterOfName(entry.username)
  // A paused person must not occupy the hash queue. The pause is checked again when the try is counted.
  const askedAt = ctx.clock.now()
  const refuseWhilePaused = (pausedUntil: Date | null, now: Date) => {
    if (!pausedUntil) return
    ctx.security.note('password-paused', user?._id)
    throw tooManySignIns(pausedUntil.getTime() - now.getTime())
  }
  refuseWhilePaused(await ctx.signInAttempts.pausedUntil(counter, askedAt), askedAt)
  // A full queue costs no try: it is counted when the hashing starts.
  return ctx.limitHashing(async () => {
    const now = ctx.clock.now()
    const { pausedUntil } = await ctx.signInAttempts.take(counter, now)
    refuseWhilePaused(pausedUntil, now)
    const isRight = await ctx.passwords.matches(password, user?.passwordHash ?? null)
    // This runs after the answer, because an unknown name must not be faster.
    if (user && !isRight)
      ctx.background.run('counting a wrong password', () => noteWrongPassword(ctx, user._id))
    if (!user || !isRight) {
      ctx.security.note('wrong-password', user?._id)
      throw wrongCredentials()
    }
    await ctx.signInAttempts.clear(counter)
    if (ctx.passwords.isOutdated(user.passwordHash))
      await ctx.users.replacePasswordHash(user, await ctx.passwords.hash(password))
    return user
  })
}

const counterOfSession = (id: string) => hashOpaque(`session:${id}`)
const counterOfName = (username: string) => hashOpaque(`username:${usernameKey(username)}`)

/** Resets the count of wrong passwords, because a person who forgot the password has just tried some. */
export async function clearSignInPauses(
  ctx: Context,
  { username }: User,
  sessionIds: readonly string[],
): Promise<void> {
  for (const counter of [counterOfName(username), ...sessionIds.map(counterOfSession)])
    await ctx.signInAttempts.clear(counter)
}
