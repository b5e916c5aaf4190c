import type { Context } from '../context.ts'
import { checkStepUp } from './check-step-up.ts'
import type { StepUp } from './check-step-up.ts'

export async function changeFullName(ctx: Context, input: StepUp & { fullName: string }): Promise<void> {
  const { _id } = await checkStepUp(ctx, input)
  await ctx.users.setFullName(_id, input.fullName)
}
