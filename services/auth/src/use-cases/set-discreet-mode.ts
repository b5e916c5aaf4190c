import { isSteppedUp, stepUpRequired } from '@sumlock/service-kit/step-up'
import type { Context } from '../context.ts'
import { noSession } from '@sumlock/service-kit/app-error'
import { toSteps } from '../domain/user.ts'

/**
 * Switches discreet mode on or off. Requires an unlocked or just opened session, because switching it off shows the account.
 */
export async function setDiscreetMode(
  ctx: Context,
  input: { userId: string; sessionId: string; isDiscreet: boolean },
): Promise<void> {
  const now = ctx.clock.now()
  const session = await ctx.sessions.byId(input.sessionId, now)
  if (!session) throw noSession()
  if (!isSteppedUp(toSteps(session), now.getTime())) throw stepUpRequired()
  await ctx.users.setDiscreet(input.userId, input.isDiscreet)
}
