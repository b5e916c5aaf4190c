import type { Context } from '../context.ts'
import type { Payment } from '../domain/payment.ts'
import { promoPendingMs } from '../domain/promo-redemption.ts'
import { checkPayment } from './read-payment.ts'
import { recheckSubscriptions } from './recheck-subscriptions.ts'
import { sendGift } from './send-gift.ts'
import { settlePayment } from './settle-payment.ts'

const checkAfterMs = 5 * 60_000
const checkoutOverMs = 24 * 3_600_000
const sendAfterMs = 10_000
/** Unpaid purchases and unconfirmed promo codes are removed after this time, because they name a person. */
const unpaidMs = 90 * 24 * 3_600_000
const batch = 100

/**
 * Finishes what a crash or a lost webhook left open, and what is due by now. The failure of one job does not stop the
 * others.
 */
export async function runDue(ctx: Context, now: Date, stopping?: AbortSignal): Promise<void> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const attempt = async (job: string, work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      ctx.logger.warn({ err: error, job }, 'job of billing failed and will run again')
    }
  }
  for (const { _id } of await ctx.gifts.unsent(before(sendAfterMs), batch))
    await attempt('mailing a gift', () => sendGift(ctx, _id))
  for (let checked = 0; checked < batch; checked += 1) {
    const payment = await ctx.payments.claimUnchecked(before(checkAfterMs), now)
    if (!payment) break
    await attempt('checking a payment', () => finishPayment(ctx, payment, before(checkoutOverMs)))
  }
  await attempt('expiring gifts', () => ctx.gifts.expire(now, stopping))
  await attempt('ending promo codes', () =>
    ctx.promoRedemptions.failPending(before(promoPendingMs), now, stopping),
  )
  const unpaidBefore = before(unpaidMs)
  await attempt('pruning unpaid gifts', () => ctx.gifts.pruneUnpaid(unpaidBefore, stopping))
  await attempt('pruning unpaid payments', () => ctx.payments.pruneUnpaid(unpaidBefore, stopping))
  await attempt('pruning promo codes', () => ctx.promoRedemptions.pruneUnused(unpaidBefore, stopping))
  await attempt('checking store subscriptions', () => recheckSubscriptions(ctx, now))
  await attempt('pruning tries', () => ctx.redeemTries.prune(now, stopping))
  await attempt('pruning notifications', () => ctx.notificationsSeen.prune(now, stopping))
}

async function finishPayment(ctx: Context, payment: Payment, overSince: Date): Promise<void> {
  const { status } = await checkPayment(ctx, payment)
  // Every checkout of such an old payment has ended. A payment without a checkout id never had one.
  if (status === 'created' && payment.createdAt < overSince)
    await settlePayment(ctx, { paymentId: payment._id, change: 'failed' })
}
