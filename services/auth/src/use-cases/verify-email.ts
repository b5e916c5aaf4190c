import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { emailTaken, verificationLinkInvalid } from '../domain/errors.ts'
import { duplicateField } from '../stores/duplicate-field.ts'
import { requestChangeNotice } from './request-notice.ts'

/**
 * Verifies the address that the token was sent to; the token of a change of address makes it the account's, and tells the
 * former one. A link that was opened before, by a scanner of mails for one, answers alike while the account has the address.
 */
export async function verifyEmail(ctx: Context, { token }: { token: string }): Promise<void> {
  const isVerified = await transact(ctx.connection, async (session) => {
    const now = ctx.clock.now()
    const link = await ctx.mailLinks.find(ctx.codeMac('verify-email', token), now, session)
    if (!link || !(await ctx.users.verifyEmail(link, session))) return false
    await ctx.mailLinks.markUsed('verify-email', link, now, session)
    return true
  })
  if (!isVerified && !(await takeNewAddress(ctx, token))) throw verificationLinkInvalid()
}

/** False when the token is not that of a change of address. */
async function takeNewAddress(ctx: Context, token: string): Promise<boolean> {
  try {
    const isTaken = await transact(ctx.connection, async (session) => {
      const now = ctx.clock.now()
      const link = await ctx.mailLinks.find(ctx.codeMac('change-email', token), now, session)
      if (link?.usedAt) return ctx.users.verifyEmail(link, session)
      const before = link && (await ctx.users.changeEmail(link, session))
      if (!before) return false
      await ctx.mailLinks.removeOfOtherAddresses(link, session)
      await ctx.mailLinks.markUsed('change-email', link, now, session)
      await requestChangeNotice(ctx, session, before, 'email-changed')
      return true
    })
    ctx.outbox.kick()
    return isTaken
  } catch (error) {
    if (duplicateField(error) === 'emailKey') throw emailTaken()
    throw error
  }
}
