import type { Context } from '../context.ts'
import { promoPendingMs } from '../domain/promo-redemption.ts'
import { checkPayment } from './read-payment.ts'
import { recheckSubscriptions } from './recheck-subscriptions.ts'
import { sendGift } from './send-gift.ts'
import { settlePayment } from './settle-payment.ts'

const checkAfterMs = 5 * 60_000
const checkoutOverMs = 24 * 3_600_000
const sendAfterMs = 10_000
const batch = 100

/** Finishes what a crash or a lost webhook left behind, and what time has decided. */
export async function runDue(ctx: Context, now: Date): Promise<void> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  for (const gift of await ctx.gifts.unsent(before(sendAfterMs), batch)) await sendGift(ctx, gift._id)
  for (let checked = 0; checked < batch; checked += 1) {
    const payment = await ctx.payments.claimUnchecked(before(checkAfterMs), now)
    if (!payment) break
    const { status } = await checkPayment(ctx, payment)
    // Every checkout has ended by then; one without an id was never opened.
    const isOver = status === 'created' && payment.createdAt < before(checkoutOverMs)
    if (isOver) await settlePayment(ctx, { paymentId: payment._id, change: 'failed' })
  }
  await ctx.gifts.expire(now)
  await ctx.redeemTries.prune(now)
  await ctx.promoRedemptions.failPending(before(promoPendingMs), now)
  await recheckSubscriptions(ctx, now)
  await ctx.notificationsSeen.prune(now)
}
