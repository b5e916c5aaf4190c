import type { Context } from '../context.ts'
import { emailTaken, verificationLinkInvalid } from '../domain/errors.ts'
import { duplicateField } from '../stores/duplicate-field.ts'
import { requestChangeNotice } from './request-notice.ts'

/**
 * Verifies the address that the token was sent to; the token of a change of address makes it the account's, and tells the
 * former one. Of two calls with one token, one succeeds.
 */
export async function verifyEmail(ctx: Context, { token }: { token: string }): Promise<void> {
  const isVerified = await ctx.connection.transaction(async (session) => {
    const link = await ctx.mailLinks.consume(ctx.codeMac('verify-email', token), ctx.clock.now(), session)
    return link !== null && (await ctx.users.verifyEmail(link, session))
  })
  if (!isVerified && !(await takeNewAddress(ctx, token))) throw verificationLinkInvalid()
}

/** False when the token is not that of a change of address. */
async function takeNewAddress(ctx: Context, token: string): Promise<boolean> {
  try {
    const isTaken = await ctx.connection.transaction(async (session) => {
      const link = await ctx.mailLinks.consume(ctx.codeMac('change-email', token), ctx.clock.now(), session)
      const before = link && (await ctx.users.changeEmail(link, session))
      if (!before) return false
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
