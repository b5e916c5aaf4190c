import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { emailKey } from '../domain/user.ts'
import { requestMailLink, writeMailsSoon } from './request-mail-link.ts'

/**
 * Requests mails with a link to choose a new password: to the account that has proven the address, or else to the oldest
 * three that claim it. Until the answer, the work is the same for every address: one write that counts the request and one
 * that stores it.
 */
export async function requestPasswordReset(ctx: Context, { email }: { email: string }): Promise<void> {
  const counter = ctx.codeMac('reset-password', emailKey(email))
  if ((await ctx.sendLimits.take(counter, limits.mailsPerHour, ctx.clock.now())) > 0) return
  await requestMailLink(ctx, 'reset-password', { email })
  writeMailsSoon(ctx)
}
