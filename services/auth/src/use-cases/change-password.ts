import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { passwordEasyToGuess, wrongCredentials } from '../domain/errors.ts'
import { isEasyToGuess } from '../domain/weak-password.ts'
import { checkStepUp } from './check-step-up.ts'
import type { StepUp } from './check-step-up.ts'
import { requestChangeNotice } from './request-notice.ts'
import { finishRevoking } from './revoke-session.ts'

/**
 * Replaces the account password, ends the other sessions and notifies the owner, in one transaction. Of two concurrent
 * changes, the second throws `wrong_credentials`.
 */
export async function changePassword(ctx: Context, input: StepUp & { newPassword: string }): Promise<void> {
  const { userId, sessionId, newPassword } = input
  const user = await checkStepUp(ctx, input)
  if (isEasyToGuess(newPassword, user.username)) throw passwordEasyToGuess('newPassword')
  const passwordHash = await ctx.limitHashing(() => ctx.passwords.hash(newPassword))
  const endedIds = await transact(ctx.connection, async (transaction) => {
    const now = ctx.clock.now()
    if (!(await ctx.users.replacePassword(user, { passwordHash, now }, transaction))) throw wrongCredentials()
    // A link in the mailbox could otherwise change the password back.
    await ctx.mailLinks.removeOfKind('reset-password', userId, transaction)
    await requestChangeNotice(ctx, transaction, user, 'password-changed')
    return ctx.sessions.revokeAll(userId, now, transaction, [sessionId])
  })
  await finishRevoking(ctx, userId, endedIds, [sessionId])
  ctx.outbox.kick()
}
