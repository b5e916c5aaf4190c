import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { emailTaken } from '../domain/errors.ts'
import { emailKey } from '../domain/user.ts'
import { checkStepUp } from './check-step-up.ts'
import type { StepUp } from './check-step-up.ts'
import { mayMail } from './request-notice.ts'
import { sendMailLink } from './send-mail-link.ts'

/** Sends a link to the new address. Until it is opened, the account keeps the present one. */
export async function changeEmail(ctx: Context, input: StepUp & { email: string }): Promise<void> {
  const user = await checkStepUp(ctx, input)
  const { email } = input
  const owner = await ctx.users.byEmailKey(emailKey(email))
  if (owner && owner._id !== user._id) throw emailTaken()
  if (!(await mayMail(ctx, 'change-email', user._id))) return
  const wanted = { ...user, email, emailKey: emailKey(email) }
  await transact(ctx.connection, async (session) => {
    const replaced = { userId: user._id, emailKey: wanted.emailKey }
    await ctx.mailLinks.removeOfOtherAddresses(replaced, session, 'change-email')
    await sendMailLink(ctx, session, wanted, 'change-email')
  })
  ctx.outbox.kick()
}
