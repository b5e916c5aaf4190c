import { noSession } from '@sumlock/service-kit/app-error'
import { isSteppedUp, stepUpRequired } from '@sumlock/service-kit/step-up'
import type { Context } from '../context.ts'
import { toSteps } from '../domain/user.ts'

/** Throws unless the session is unlocked, or signed in with the account password within the last 15 minutes. */
export async function requireSteppedUp(ctx: Context, sessionId: string): Promise<void> {
  const now = ctx.clock.now()
  const session = await ctx.sessions.byId(sessionId, now)
  if (!session) throw noSession()
  if (isSteppedUp(toSteps(session), now.getTime())) return
  ctx.security.note('step-up-refused', session.userId)
  throw stepUpRequired()
}
