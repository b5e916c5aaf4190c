import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { passwordEasyToGuess, resetLinkInvalid } from '../domain/errors.ts'
import { isEasyToGuess } from '../domain/weak-password.ts'
import { clearSignInPauses } from './check-password.ts'
import { requestChangeNotice } from './request-notice.ts'
import { finishRevoking } from './revoke-session.ts'
import { unlessProvenElsewhere } from './unless-proven-elsewhere.ts'

/**
 * Sets a new account password, ends all sessions and notifies the owner, in one transaction. A token succeeds once and voids
 * the account's other reset tokens. Its use proves the address that it was sent to, so it is refused once another account
 * has proven that address.
 */
export async function resetPassword(
  ctx: Context,
  input: { token: string; newPassword: string },
): Promise<void> {
  const tokenHash = ctx.codeMac('reset-password', input.token)
  // The token is checked before hashing, because an invented token must not cost a hash.
  if (!(await ctx.mailLinks.isValid(tokenHash, ctx.clock.now()))) throw resetLinkInvalid()
  const passwordHash = await ctx.limitHashing(() => ctx.passwords.hash(input.newPassword))
  const reset = await unlessProvenElsewhere(() =>
    transact(ctx.connection, async (session) => {
      const now = ctx.clock.now()
      const link = await ctx.mailLinks.consume(tokenHash, now, session)
      const user = link && (await ctx.users.changePassword(link, { passwordHash, now }, session))
      if (!user) throw resetLinkInvalid()
      // The error aborts the transaction, so the link stays valid and the person can try another password.
      if (isEasyToGuess(input.newPassword, user.username)) throw passwordEasyToGuess('newPassword')
      await ctx.mailLinks.removeOfKind('reset-password', user._id, session)
      const endedIds = await ctx.sessions.revokeAll(user._id, now, session)
      // The waiting reset of the app may have been requested by an intruder who knew the former password.
      await ctx.pendingResets.cancel(user._id, session)
      await requestChangeNotice(ctx, session, user, 'password-changed')
      return { user, endedIds }
    }),
  )
  if (!reset) throw resetLinkInvalid()
  const { user, endedIds } = reset
  await finishRevoking(ctx, user._id, endedIds)
  await clearSignInPauses(ctx, user, endedIds)
  ctx.outbox.kick()
}
