import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { verificationLinkInvalid } from '../domain/errors.ts'
import { requestChangeNotice } from './request-notice.ts'
import { unlessProvenElsewhere } from './unless-proven-elsewhere.ts'

/**
 * Verifies the address that the token was sent to. A token for a change of address gives the address to the account, and the
 * former address gets a mail. A link that was opened before, perhaps by a mail scanner, succeeds again while the account has
 * the address. Once another account has proven the address, the link is refused like an expired one.
 */
export async function verifyEmail(ctx: Context, { token }: { token: string }): Promise<void> {
  const isProven = await unlessProvenElsewhere(
    async () => (await verifyPresent(ctx, token)) || (await takeNewAddress(ctx, token)),
  )
  if (!isProven) throw verificationLinkInvalid()
}

/** Resolves with false when the token does not verify the present address. */
const verifyPresent = (ctx: Context, token: string): Promise<boolean> =>
  transact(ctx.connection, async (session) => {
    const now = ctx.clock.now()
    const link = await ctx.mailLinks.find(ctx.codeMac('verify-email', token), now, session)
    if (!link || !(await ctx.users.verifyEmail(link, session))) return false
    await ctx.mailLinks.markUsed('verify-email', link, now, session)
    return true
  })

/** Resolves with false when the token does not change the address. */
async function takeNewAddress(ctx: Context, token: string): Promise<boolean> {
  const isTaken = await transact(ctx.connection, async (session) => {
    const now = ctx.clock.now()
    const link = await ctx.mailLinks.find(ctx.codeMac('change-email', token), now, session)
    if (link?.usedAt) return ctx.users.verifyEmail(link, session)
    const before = link && (await ctx.users.changeEmail(link, session))
    if (!before) return false
    await ctx.mailLinks.removeOfOtherAddresses(link, session)
    await ctx.mailRequests.removeOfOtherAddresses(link, session)
    await ctx.mailLinks.markUsed('change-email', link, now, session)
    await requestChangeNotice(ctx, session, before, 'email-changed')
    return true
  })
  ctx.outbox.kick()
  return isTaken
}
