import type { SessionView } from '@sumlock/contracts/session-list-routes'
import { noSession } from '@sumlock/service-kit/app-error'
import { isSteppedUp, stepUpRequired } from '@sumlock/service-kit/step-up'
import type { Context } from '../context.ts'
import { toSteps } from '../domain/user.ts'
import type { Session } from '../domain/user.ts'

/**
 * Lists the live sessions of the account, most recently used first. Throws `step_up_required` while locked, except shortly
 * after the sign-in.
 */
export async function listSessions(
  ctx: Context,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<SessionView[]> {
  const now = ctx.clock.now()
  const sessions = await ctx.sessions.othersOf(userId, null, now)
  const own = sessions.find(({ _id }) => _id === sessionId)
  if (!own) throw noSession()
  if (!isSteppedUp(toSteps(own), now.getTime())) {
    ctx.security.note('step-up-refused', userId)
    throw stepUpRequired()
  }
  return sessions.map((session) => toView(session, sessionId))
}

export const toView = (session: Session, currentId: string): SessionView => ({
  id: session._id,
  device: session.device,
  addressFamily: session.addressFamily,
  signedInAt: session.createdAt.toISOString(),
  lastSeenAt: session.lastSeenAt.toISOString(),
  isCurrent: session._id === currentId,
})
