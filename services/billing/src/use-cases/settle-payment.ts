import { transact } from '@sumlock/service-kit/transact'
import type { ClientSession } from 'mongoose'
import type { Context } from '../context.ts'
import { yearMs } from '../domain/ledger.ts'
import { paidGift } from '../domain/gift.ts'
import type { PaymentEvent } from '../domain/payment.ts'
import { appendGrant } from './change-ledger.ts'
import { endPayment, winDispute } from './end-payment.ts'
import { sendGift } from './send-gift.ts'

/**
 * Stores what a provider says of a payment, with its effect, in one transaction. It comes in any order and any number of
 * times: a payment is paid at most once, and one that was refunded is never paid again.
 */
export async function settlePayment(ctx: Context, { paymentId, change }: PaymentEvent): Promise<void> {
  const giftToSend = await transact(ctx.connection, (session) => {
    switch (change) {
      case 'paid':
        return pay(ctx, paymentId, session)
      case 'failed':
        return fail(ctx, paymentId, session)
      case 'refunded':
        return endPayment(ctx, paymentId, { status: 'refunded', reason: 'refunded' }, session)
      case 'withdrawn':
        return endPayment(ctx, paymentId, { status: 'disputed', reason: 'disputed' }, session)
      case 'dispute-lost':
        return endPayment(ctx, paymentId, { status: 'refunded', reason: 'disputed' }, session)
      case 'dispute-won':
        return winDispute(ctx, paymentId, session)
    }
  })
  ctx.outbox.kick()
  if (giftToSend !== null) await sendGift(ctx, giftToSend)
}

/** Resolves with the gift that has to be mailed, if any. */
async function pay(ctx: Context, paymentId: string, session: ClientSession): Promise<string | null> {
  const now = ctx.clock.now()
  const paid = { status: 'paid', paidAt: now } as const
  const payment = await ctx.payments.move(paymentId, ['created', 'failed'], paid, session)
  if (!payment) return null
  const { kind, userId, giftId } = payment
  if (kind === 'upgrade') {
    await appendGrant(ctx, session, { grantId: paymentId, userId, source: 'direct', lengthMs: yearMs })
    return null
  }
  await ctx.gifts.move(giftId ?? '', ['created'], paidGift(now), session)
  return giftId
}

async function fail(ctx: Context, paymentId: string, session: ClientSession): Promise<null> {
  const failed = await ctx.payments.move(paymentId, ['created'], { status: 'failed' }, session)
  if (failed) ctx.logger.info({ paymentId }, 'checkout ended without a payment')
  return null
}
