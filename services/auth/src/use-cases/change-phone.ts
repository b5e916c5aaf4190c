import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { phoneNotVerified } from '../domain/errors.ts'
import { hashOpaque } from '../domain/opaque.ts'
import { checkStepUp } from './check-step-up.ts'
import type { StepUp } from './check-step-up.ts'
import { requestChangeNotice } from './request-notice.ts'

/** Changes the phone number, uses up the proof of its verification, and notifies the owner, in one transaction. */
export async function changePhone(
  ctx: Context,
  input: StepUp & { phone: string; proof: string | undefined },
): Promise<void> {
  const user = await checkStepUp(ctx, input)
  const { phone, proof } = input
  if (!proof) throw phoneNotVerified()
  await transact(ctx.connection, async (session) => {
    if (!(await ctx.phoneVerifications.consume(hashOpaque(proof), phone, ctx.clock.now(), session)))
      throw phoneNotVerified()
    await ctx.users.setPhone(user._id, phone, session)
    await requestChangeNotice(ctx, session, user, 'phone-changed')
  })
  ctx.outbox.kick()
}
