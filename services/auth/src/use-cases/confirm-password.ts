import type { Context } from '../context.ts'
import { checkStepUp } from './check-step-up.ts'
import type { StepUp } from './check-step-up.ts'

/** Records in the session that the account password was given now, as the routes of administrators require. */
export async function confirmPassword(ctx: Context, input: StepUp): Promise<void> {
  await checkStepUp(ctx, input)
  await ctx.sessions.confirmPassword(input.sessionId, ctx.clock.now())
}
