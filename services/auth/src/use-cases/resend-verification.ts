import { noSession } from '@sumlock/service-kit/app-error'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { mayMail } from './request-notice.ts'
import { sendMailLink } from './send-mail-link.ts'

/** Sends a new verification mail, unless the address is verified or had enough mails in the last hour. */
export async function resendVerification(ctx: Context, { userId }: { userId: string }): Promise<void> {
  const user = await ctx.users.byId(userId)
  if (!user) throw noSession()
  if (user.isEmailVerified) return
  if (!(await mayMail(ctx, 'verify-email', userId))) return
  await transact(ctx.connection, (session) => sendMailLink(ctx, session, user, 'verify-email'))
  ctx.outbox.kick()
}
