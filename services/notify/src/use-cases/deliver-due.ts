import type { Context } from '../context.ts'
import { retryDelay } from '../domain/delivery.ts'
import type { Delivery } from '../domain/delivery.ts'
import { openNotice } from '../infrastructure/open-notice.ts'
import { isPermanentFailure, reasonOf } from '../domain/refusal.ts'
import { toLetter } from '../domain/templates.ts'

/**
 * Sends all due deliveries; resolves with the number sent. A crash between the mail server's acceptance and `settle` leads
 * to a second mail with the same Message-ID; nothing else does.
 */
export async function deliverDue(ctx: Context): Promise<number> {
  let sent = 0
  for (;;) {
    const delivery = await ctx.deliveries.claim(ctx.clock.now())
    if (!delivery) return sent
    if (await deliver(ctx, delivery)) sent += 1
  }
}

async function deliver(ctx: Context, delivery: Delivery): Promise<boolean> {
  const now = ctx.clock.now()
  if (delivery.expiresAt <= now || !delivery.sealed) {
    await ctx.deliveries.settle(delivery._id, 'expired')
    return false
  }
  let letter
  try {
    letter = toLetter(openNotice(delivery.sealed, delivery._id, ctx.config.NOTICE_KEYS))
  } catch (error) {
    ctx.logger.error({ err: error, noticeId: delivery._id }, 'notice could not be decrypted')
    await ctx.deliveries.settle(delivery._id, 'failed', 'cannot be opened')
    return false
  }
  try {
    await ctx.sendMail({ ...letter, messageId: `<${delivery._id}@calculator.local>` })
  } catch (error) {
    const noticeId = delivery._id
    const reason = reasonOf(error)
    if (isPermanentFailure(error)) {
      ctx.logger.warn({ reason, noticeId }, 'notice was refused permanently')
      await ctx.deliveries.settle(noticeId, 'failed', reason)
      return false
    }
    ctx.logger.warn({ reason, noticeId }, 'notice could not be sent and will be retried')
    await ctx.deliveries.retryAt(noticeId, new Date(now.getTime() + retryDelay(delivery.attempts)), reason)
    return false
  }
  await ctx.deliveries.settle(delivery._id, 'sent')
  return true
}
