import { limits } from '@sumlock/contracts/limits'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { emailKey } from '../domain/user.ts'
import { sendMailLink } from './send-mail-link.ts'

/**
 * Mails a link to choose a new password, if an account has the address. Until the answer, the work is the same for every
 * address: one write that counts the request.
 */
export async function requestPasswordReset(ctx: Context, { email }: { email: string }): Promise<void> {
  const key = emailKey(email)
  const counter = ctx.codeMac('reset-password', key)
  if ((await ctx.sendLimits.take(counter, limits.mailsPerHour, ctx.clock.now())) > 0) return
  ctx.background.run('password reset', async () => {
    const user = await ctx.users.byEmailKey(key)
    if (!user) return
    await transact(ctx.connection, (session) => sendMailLink(ctx, session, user, 'reset-password'))
    ctx.outbox.kick()
  })
}
