import { randomUUID } from 'node:crypto'
import { noticeRequested } from '@sumlock/contracts/auth-events'
import type { Notice } from '@sumlock/contracts/auth-events'
import { limits } from '@sumlock/contracts/limits'
import type { ClientSession } from 'mongoose'
import type { Context } from '../context.ts'
import type { User } from '../domain/user.ts'
import { sealNotice } from '@sumlock/service-kit/seal-notice'

/** Requests a mail or SMS in the caller's transaction; call `outbox.kick` after the commit. */
export async function requestNotice(
  ctx: Context,
  session: ClientSession,
  notice: Notice,
  expiresAt: Date,
): Promise<void> {
  const noticeId = randomUUID()
  const sealed = sealNotice(notice, noticeId, { id: ctx.config.NOTICE_KEY_ID, secret: ctx.config.NOTICE_KEY })
  await ctx.outbox.add(session, noticeRequested, { noticeId, expiresAt: expiresAt.toISOString(), sealed })
}

/** Tells the owner about a change of the account. */
export function requestChangeNotice(
  ctx: Context,
  session: ClientSession,
  { email: to, fullName }: User,
  template: 'password-changed' | 'app-reset',
): Promise<void> {
  const expiresAt = new Date(ctx.clock.nowMs() + limits.noticeLifetimeSeconds * 1000)
  return requestNotice(ctx, session, { channel: 'mail', template, to, fullName }, expiresAt)
}
