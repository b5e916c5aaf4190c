import type { ClientSession } from 'mongoose'
import type { Context } from '../context.ts'
import { mailLinkExpiry, mailLinkUrl } from '../domain/mail-link.ts'
import type { MailLinkKind } from '../domain/mail-link.ts'
import { createOpaque } from '../domain/opaque.ts'
import type { User } from '../domain/user.ts'
import { requestNotice } from './request-notice.ts'

/** Stores a link and requests its mail, in the caller's transaction. Links that were sent before stay valid. */
export async function sendMailLink(
  ctx: Context,
  session: ClientSession,
  user: User,
  kind: MailLinkKind,
): Promise<void> {
  const token = createOpaque()
  const expiresAt = mailLinkExpiry(kind, ctx.clock.now())
  const { _id: userId, emailKey, email: to, passwordChangedAt } = user
  // An unproven address may belong to a stranger, who must not get a name that somebody else has typed.
  const isProven = user.isEmailVerified && kind === 'reset-password'
  const fullName = isProven ? user.fullName : ''
  const proof = { userId, emailKey, tokenHash: ctx.codeMac(kind, token), expiresAt }
  const change = { email: to, ...(passwordChangedAt && { passwordChangedAt }) }
  await ctx.mailLinks.add(kind, kind === 'change-email' ? { ...proof, ...change } : proof, session)
  const link = mailLinkUrl(ctx.config.PUBLIC_ORIGINS[0], kind, token)
  await requestNotice(ctx, session, { channel: 'mail', template: kind, to, fullName, link }, expiresAt)
}
