import { randomUUID } from 'node:crypto'
import { noticeRequested } from '@sumlock/contracts/auth-events'
import type { Notice } from '@sumlock/contracts/auth-events'
import type { ClientSession } from 'mongoose'
import type { Context } from '../context.ts'
import { sealNotice } from '../infrastructure/seal-notice.ts'

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
