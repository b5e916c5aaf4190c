import { limits } from '@sumlock/contracts/limits'
import { utcDay } from '@sumlock/service-kit/clock'
import { transact } from '@sumlock/service-kit/transact'
import type { ClientSession } from 'mongoose'
import type { Context } from '../context.ts'
import type { MailRequest } from '../domain/mail-request.ts'
import { requestOwnerNotice } from './request-notice.ts'
import { sendMailLink } from './send-mail-link.ts'

const retryAfterMs = 30_000

/** Writes the mails of all requests that are due. A request that fails is due again after half a minute. */
export async function writeDueMails(ctx: Context, stopping?: AbortSignal): Promise<void> {
  while (!stopping?.aborted) {
    const request = await ctx.mailRequests.claim(ctx.clock.now(), retryAfterMs)
    if (!request) return
    await writeMail(ctx, request).catch((error: unknown) =>
      ctx.logger.warn(
        { err: error, requestId: request._id },
        'a mail was not written and will be tried again',
      ),
    )
  }
}

type Letter = (session: ClientSession) => Promise<void>

/** Stores the mails and removes their request in one transaction. */
async function writeMail(ctx: Context, request: MailRequest): Promise<void> {
  const letters = request.expiresAt > ctx.clock.now() ? await lettersFor(ctx, request) : []
  await transact(ctx.connection, async (session) => {
    if (!(await ctx.mailRequests.remove(request._id, session))) return
    for (const write of letters) await write(session)
  })
  ctx.outbox.kick()
}

async function lettersFor(ctx: Context, request: MailRequest): Promise<Letter[]> {
  const { kind, userId, email, emailKey } = request
  const owner = await ctx.users.ownerOf(emailKey)
  if (userId === undefined) {
    const accounts = owner ? [owner] : await ctx.users.claimantsOf(emailKey, limits.resetAccounts)
    return accounts.map((user) => (session) => sendMailLink(ctx, session, user, kind))
  }
  const user = await ctx.users.byId(userId)
  if (!user) return []
  if (kind === 'verify-email' && (user.isEmailVerified || user.emailKey !== emailKey)) return []
  if (owner && owner._id !== userId) {
    const isFirst = await isFirstOfDay(ctx, request)
    return isFirst ? [(session) => requestOwnerNotice(ctx, session, owner, 'email-claimed')] : []
  }
  const { passwordChangedAt } = request
  const { passwordChangedAt: _present, ...rest } = user
  const addressed = { ...rest, email, emailKey, ...(passwordChangedAt && { passwordChangedAt }) }
  return [(session) => sendMailLink(ctx, session, addressed, kind)]
}

/** Resolves with true for only one request per address and UTC day, also when that request is tried again. */
const isFirstOfDay = (ctx: Context, { _id, emailKey }: MailRequest): Promise<boolean> => {
  const now = ctx.clock.now()
  return ctx.sendLimits.claimDay(ctx.codeMac('email-claimed', `${utcDay(now)}:${emailKey}`), _id, now)
}
