import type { Context } from '../context.ts'
import { tooManySignIns, wrongCredentials } from '../domain/errors.ts'
import { hashOpaque } from '../domain/opaque.ts'
import { usernameKey } from '../domain/user.ts'
import type { User } from '../domain/user.ts'
import { noteWrongPassword } from './note-wrong-password.ts'

export interface PasswordEntry {
  username: string
  /** Null for an unknown username, whose answer and duration must be the same as for a wrong password. */
  user: User | null
  password: string
  /** The browser sent the cookie of this live session of the user; null without one. */
  knownSessionId: string | null
}

/**
 * Throws unless the password is right. Wrong passwords are counted per username. A device that is signed in has its own
 * count, so that guesses of strangers do not lock out the owner.
 */
export async function checkPassword(ctx: Context, entry: PasswordEntry): Promise<User> {
  const { user, password, knownSessionId } = entry
  const counter = knownSessionId ? counterOfSession(knownSessionId) : counterOfName(entry.username)
  // The pause is checked before hashing, so that a paused person does not occupy the hash queue, and again when the try is
  // counted.
  const askedAt = ctx.clock.now()
  const refuseWhilePaused = (pausedUntil: Date | null, now: Date) => {
    if (!pausedUntil) return
    ctx.security.note('password-paused', user?._id)
    throw tooManySignIns(pausedUntil.getTime() - now.getTime())
  }
  refuseWhilePaused(await ctx.signInAttempts.pausedUntil(counter, askedAt), askedAt)
  // The try is counted when hashing starts, so that a full queue costs no try.
  return ctx.limitHashing(async () => {
    const now = ctx.clock.now()
    const { pausedUntil } = await ctx.signInAttempts.take(counter, now)
    refuseWhilePaused(pausedUntil, now)
    const isRight = await ctx.passwords.matches(password, user?.passwordHash ?? null)
    // The wrong password is counted after the answer, because the answer for an unknown username must not be faster.
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

/** Resets the counts of wrong passwords after a reset of the password, because its owner has probably tried some. */
export async function clearSignInPauses(
  ctx: Context,
  { username }: User,
  sessionIds: readonly string[],
): Promise<void> {
  for (const counter of [counterOfName(username), ...sessionIds.map(counterOfSession)])
    await ctx.signInAttempts.clear(counter)
}
