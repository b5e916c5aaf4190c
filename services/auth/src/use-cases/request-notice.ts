import { randomUUID } from 'node:crypto'
import { noticeRequested } from '@sumlock/contracts/auth-events'
import type { Notice } from '@sumlock/contracts/auth-events'
import { limits } from '@sumlock/contracts/limits'
import { sealNotice } from '@sumlock/service-kit/seal-notice'
import { transact } from '@sumlock/service-kit/transact'
import type { ClientSession } from 'mongoose'
import type { Context } from '../context.ts'
import type { User } from '../domain/user.ts'

type MailKind = Exclude<Notice, { channel: 'sms' }>['template']

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

/**
 * Counts a mail of this kind to the account. Resolves with false when it had enough of them in the last hour and may get
 * none.
 */
export const mayMail = async (ctx: Context, kind: MailKind, userId: string): Promise<boolean> =>
  (await ctx.sendLimits.take(ctx.codeMac(kind, userId), limits.mailsPerHour, ctx.clock.now())) === 0

/**
 * Notifies the owner of a change of the account, unless too many such mails went out in the last hour. An unproven
 * address may belong to a stranger, who gets only links.
 */
export async function requestChangeNotice(
  ctx: Context,
  session: ClientSession,
  { _id, email: to, fullName, isEmailVerified }: User,
  template: 'password-changed' | 'email-changed' | 'phone-changed' | 'app-reset' | 'account-deletion',
): Promise<void> {
  if (!isEmailVerified || !(await mayMail(ctx, template, _id))) return
  const expiresAt = new Date(ctx.clock.nowMs() + limits.noticeLifetimeSeconds * 1000)
  return requestNotice(ctx, session, { channel: 'mail', template, to, fullName }, expiresAt)
}

/**
 * Notifies the owner of a waiting reset of the app and its time, unless the address is not proven or got too many such mails
 * in the last hour.
 */
export async function requestResetNotice(
  ctx: Context,
  session: ClientSession,
  { _id, email: to, fullName, isEmailVerified }: User,
  dueAt: Date,
): Promise<void> {
  if (!isEmailVerified || !(await mayMail(ctx, 'app-reset-waits', _id))) return
  const notice = { channel: 'mail', template: 'app-reset-waits', to, fullName } as const
  await requestNotice(ctx, session, { ...notice, dueAt: dueAt.toISOString() }, dueAt)
}

/**
 * Mails the owner of a proven address that somebody wanted it for another account, or that wrong passwords were tried.
 * The caller limits these mails.
 */
export function requestOwnerNotice(
  ctx: Context,
  session: ClientSession,
  { email: to, fullName }: User,
  template: 'email-claimed' | 'wrong-passwords',
): Promise<void> {
  const expiresAt = new Date(ctx.clock.nowMs() + limits.noticeLifetimeSeconds * 1000)
  return requestNotice(ctx, session, { channel: 'mail', template, to, fullName }, expiresAt)
}

/**
 * Notifies the owner of a sign-in, unless the address is not proven or got too many such mails in the last hour. The notify
 * service drops the mail if the owner wants none.
 */
export async function requestSignInNotice(
  ctx: Context,
  { _id: userId, email: to, fullName, isEmailVerified }: User,
): Promise<void> {
  if (!isEmailVerified || !(await mayMail(ctx, 'signed-in', userId))) return
  const notice = { channel: 'mail', template: 'signed-in', to, fullName, userId } as const
  const expiresAt = new Date(ctx.clock.nowMs() + limits.noticeLifetimeSeconds * 1000)
  await transact(ctx.connection, (session) => requestNotice(ctx, session, notice, expiresAt))
  ctx.outbox.kick()
}
