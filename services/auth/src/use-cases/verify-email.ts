import type { Context } from '../context.ts'
import { verificationLinkInvalid } from '../domain/errors.ts'

/** Verifies the address that the token was sent to. Of two calls with one token, one succeeds. */
export async function verifyEmail(ctx: Context, { token }: { token: string }): Promise<void> {
  const tokenHash = ctx.codeMac('verify-email', token)
  await ctx.connection.transaction(async (session) => {
    const link = await ctx.mailLinks.consume(tokenHash, ctx.clock.now(), session)
    if (!link || !(await ctx.users.verifyEmail(link, session))) throw verificationLinkInvalid()
  })
}
