import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { emailKey } from '../domain/user.ts'
import { checkStepUp } from './check-step-up.ts'
import type { StepUp } from './check-step-up.ts'
import { requestMailLink, writeMailsSoon } from './request-mail-link.ts'
import { mayMail } from './request-notice.ts'

/**
 * Requests a mail with a link to the new address. Until the link is opened, the account keeps its present address. The work
 * is the same whether another account has the new address or not.
 */
export async function changeEmail(ctx: Context, input: StepUp & { email: string }): Promise<void> {
  const user = await checkStepUp(ctx, input)
  const { email } = input
  if (!(await mayMail(ctx, 'change-email', user._id))) return
  const wanted = { userId: user._id, emailKey: emailKey(email) }
  await transact(ctx.connection, async (session) => {
    await ctx.mailLinks.removeOfOtherAddresses(wanted, session, 'change-email')
    await ctx.mailRequests.removeOfOtherAddresses(wanted, session, 'change-email')
    await requestMailLink(ctx, 'change-email', { email, user }, session)
  })
  writeMailsSoon(ctx)
}
