import { randomUUID } from 'node:crypto'
import type { ClientSession } from 'mongoose'
import type { Context } from '../context.ts'
import { mailLinkExpiry } from '../domain/mail-link.ts'
import type { MailLinkKind } from '../domain/mail-link.ts'
import { emailKey } from '../domain/user.ts'
import type { User } from '../domain/user.ts'
import { writeDueMails } from './write-due-mails.ts'

/** Stores the request for a mail with a link, in the caller's transaction if there is one. Call `writeMailsSoon` afterwards. */
export async function requestMailLink(
  ctx: Context,
  kind: MailLinkKind,
  { email, user }: { email: string; user?: Pick<User, '_id' | 'passwordChangedAt'> },
  session?: ClientSession,
): Promise<void> {
  const now = ctx.clock.now()
  const times = { createdAt: now, dueAt: now, expiresAt: mailLinkExpiry(kind, now) }
  const passwordChangedAt = kind === 'change-email' ? user?.passwordChangedAt : undefined
  await ctx.mailRequests.add(
    {
      _id: randomUUID(),
      kind,
      ...(user && { userId: user._id }),
      email,
      emailKey: emailKey(email),
      ...(passwordChangedAt && { passwordChangedAt }),
      ...times,
    },
    session,
  )
}

/** Writes the mails after the answer, so that the time of the answer reveals nothing about them. */
export const writeMailsSoon = (ctx: Context): void =>
  ctx.background.run('writing mails', () => writeDueMails(ctx))
