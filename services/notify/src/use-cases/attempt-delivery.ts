import { setTimeout as wait } from 'node:timers/promises'
import type { Notice } from '@sumlock/contracts/auth-events'
import type { Context } from '../context.ts'
import { attemptTimeoutMs, retryDelay } from '../domain/delivery.ts'
import type { Delivery } from '../domain/delivery.ts'
import { isPermanentFailure, reasonOf } from '../domain/refusal.ts'
import { toLetter, toSmsText } from '../domain/templates.ts'
import { openNotice } from '../infrastructure/open-notice.ts'

const recordAgainMs = 500

interface AttemptOptions {
  timeoutMs?: number
  /** The record of a sent delivery is repeated after this time when it failed. */
  retryMs?: number
}

/**
 * Sends a claimed delivery and records the outcome. A mail is sent twice, with the same Message-ID, only if the process
 * crashes between the mail server's acceptance and the record, if the acceptance comes after `timeoutMs`, or if the
 * database is away until the claim ends. Even then, an SMS through Twilio is not sent twice.
 */
export async function attemptDelivery(
  ctx: Pick<Context, 'clock' | 'config' | 'deliveries' | 'logger' | 'preferences' | 'sendMail' | 'sendSms'>,
  delivery: Delivery,
  { timeoutMs = attemptTimeoutMs, retryMs = recordAgainMs }: AttemptOptions = {},
): Promise<void> {
  const { _id: noticeId, sealed } = delivery
  const now = ctx.clock.now()
  if (delivery.expiresAt <= now || !sealed) return ctx.deliveries.settle(delivery, 'expired')
  // The claim took so long that it would end during this attempt, and another process could make a second one at the same
  // time.
  if (delivery.dueAt.getTime() - now.getTime() < timeoutMs) return
  let notice
  try {
    notice = openNotice(sealed, noticeId, ctx.config.NOTICE_KEYS)
  } catch (error) {
    ctx.logger.error({ err: error, noticeId }, 'notice could not be decrypted')
    return ctx.deliveries.settle(delivery, 'failed', 'cannot be opened')
  }
  if (!(await isWanted(ctx, notice))) return ctx.deliveries.settle(delivery, 'expired', 'not wanted')
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const isRepeat = delivery.attempts > 1
    if (notice.channel === 'mail') {
      const letter = toLetter(notice, ctx.config.CONTACT_SUPPORT)
      await ctx.sendMail({ ...letter, noticeId }, signal)
    } else await ctx.sendSms({ to: notice.to, text: toSmsText(notice), noticeId, isRepeat }, signal)
  } catch (error) {
    const reason = reasonOf(error)
    if (isPermanentFailure(error)) {
      ctx.logger.warn({ reason, noticeId }, 'notice was refused permanently')
      return ctx.deliveries.settle(delivery, 'failed', reason)
    }
    ctx.logger.warn({ reason, noticeId }, 'notice could not be sent and will be retried')
    const retryAt = new Date(ctx.clock.nowMs() + retryDelay(delivery.attempts))
    return ctx.deliveries.release(delivery, retryAt, reason)
  }
  await recordAsSent(ctx, delivery, retryMs)
}

/** Repeats the record while it fails and the claim lasts, because another process would send the delivery again. */
async function recordAsSent(
  { clock, deliveries }: Pick<Context, 'clock' | 'deliveries'>,
  delivery: Delivery,
  retryMs: number,
): Promise<void> {
  for (;;) {
    try {
      return await deliveries.settle(delivery, 'sent')
    } catch (error) {
      if (clock.nowMs() + retryMs >= delivery.dueAt.getTime()) throw error
      await wait(retryMs)
    }
  }
}

/** Only the mail about a sign-in can be turned off. All other notices are needed to use or to protect an account. */
const isWanted = async ({ preferences }: Pick<Context, 'preferences'>, notice: Notice): Promise<boolean> =>
  notice.template !== 'signed-in' || (await preferences.of(notice.userId)).signInMails
