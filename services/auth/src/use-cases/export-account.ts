import { noSession } from '@sumlock/service-kit/app-error'
import { utcDay } from '@sumlock/service-kit/clock'
import type { Context } from '../context.ts'
import { exportedToday } from '../domain/errors.ts'
import { toAccount } from '../domain/user.ts'
import { checkStepUp } from './check-step-up.ts'
import type { StepUp } from './check-step-up.ts'
import { toView } from './list-sessions.ts'

/** Returns the account and its live sessions, once per UTC day. */
export async function exportAccount(ctx: Context, input: StepUp) {
  const { sessionId } = input
  const user = await checkStepUp(ctx, input)
  const now = ctx.clock.now()
  const sessions = await ctx.sessions.othersOf(user._id, null, now)
  const own = sessions.find(({ _id }) => _id === sessionId)
  if (!own) throw noSession()
  if (!(await ctx.users.claimExport(user._id, utcDay(now)))) throw exportedToday()
  return {
    account: toAccount(user, own, now),
    sessions: sessions.map((session) => toView(session, sessionId)),
  }
}
