import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { resetLinkInvalid } from '../domain/errors.ts'
import { hashMailToken } from '../domain/mail-link.ts'
import type { User } from '../domain/user.ts'
import { clearSignInPauses } from './check-password.ts'
import { requestNotice } from './request-notice.ts'
import { revokeSessions } from './revoke-session.ts'

/** Sets a new account password, ends all sessions and tells the owner. Of two calls with one token, one succeeds. */
export async function resetPassword(
  ctx: Context,
  input: { token: string; newPassword: string },
): Promise<void> {
  const tokenHash = hashMailToken('reset-password', input.token)
  // Check first, because an invented token must not cost a hash.
  if (!(await ctx.mailLinks.isValid(tokenHash, ctx.clock.now()))) throw resetLinkInvalid()
  const passwordHash = await ctx.limitHashing(() => ctx.passwords.hash(input.newPassword))
  const user = await ctx.connection.transaction(async (session): Promise<User> => {
    const now = ctx.clock.now()
    const link = await ctx.mailLinks.consume(tokenHash, now, session)
    const changed = link && (await ctx.users.changePassword(link, { passwordHash, now }, session))
    if (!changed) throw resetLinkInvalid()
    const { email: to, fullName } = changed
    const notice = { channel: 'mail', template: 'password-changed', to, fullName } as const
    await requestNotice(ctx, session, notice, new Date(now.getTime() + limits.noticeLifetimeSeconds * 1000))
    return changed
  })
  const ended = await revokeSessions(ctx, user._id)
  await clearSignInPauses(ctx, user, ended)
  ctx.outbox.kick()
}
