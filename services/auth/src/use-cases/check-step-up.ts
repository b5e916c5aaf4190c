import { noSession } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { notUnlocked } from '../domain/errors.ts'
import type { User } from '../domain/user.ts'
import { checkPassword } from './check-password.ts'

export interface StepUp {
  userId: string
  sessionId: string
  /** This is the password of the account and not the PIN. */
  password: string
}

/** Throws unless the account password is right and, once a PIN is set, the session is unlocked. */
export async function checkStepUp(ctx: Context, { userId, sessionId, password }: StepUp): Promise<User> {
  const now = ctx.clock.now()
  const [user, session] = await Promise.all([ctx.users.byId(userId), ctx.sessions.byId(sessionId, now)])
  if (!user || !session) throw noSession()
  const isUnlocked = session.unlockedUntil !== null && session.unlockedUntil > now
  if (user.pinMac && !isUnlocked) {
    ctx.security.note('step-up-refused', userId)
    throw notUnlocked()
  }
  await checkPassword(ctx, { username: user.username, user, password, knownSessionId: sessionId })
  ctx.security.note('stepped-up', userId)
  return user
}
