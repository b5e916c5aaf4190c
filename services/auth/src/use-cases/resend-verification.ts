import { noSession } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { requestMailLink, writeMailsSoon } from './request-mail-link.ts'
import { mayMail } from './request-notice.ts'

/** Requests a new verification mail, unless the address is verified or had enough mails in the last hour. */
export async function resendVerification(ctx: Context, { userId }: { userId: string }): Promise<void> {
  const user = await ctx.users.byId(userId)
  if (!user) throw noSession()
  if (user.isEmailVerified) return
  if (!(await mayMail(ctx, 'verify-email', userId))) return
  await requestMailLink(ctx, 'verify-email', { email: user.email, user })
  writeMailsSoon(ctx)
}
