import { unavailable } from '@sumlock/service-kit/app-error'
import { transact } from '@sumlock/service-kit/transact'
import type { ClientSession } from 'mongoose'
import type { Context } from '../context.ts'
import type { DisputeEvent, PaymentEvent, Payments } from '../domain/payment.ts'
import { settle } from '../domain/settlement.ts'
import { movePremium } from './move-premium.ts'
import { sendGift } from './send-gift.ts'

/** Stores a provider's report about a payment with its effect, in one transaction. */
export async function settlePayment(ctx: Context, event: PaymentEvent): Promise<void> {
  await finish(ctx, await transact(ctx.connection, (session) => apply(ctx, event, session)))
}

/** The disputes of a payment are read at most this often when other replicas store their readings first. */
const readings = 5

/**
 * Reads the disputes of a payment and stores their state. A reading is dropped when another one was stored after it began.
 */
export async function settleDisputes(
  ctx: Context,
  provider: Payments,
  { paymentId, chargeId }: DisputeEvent,
): Promise<void> {
  for (let tries = 0; tries < readings; tries += 1) {
    const payment = await ctx.payments.byId(paymentId)
    const change = payment && (await provider.readDisputes(chargeId))
    if (!change) return
    const giftToSend = await transact(ctx.connection, async (session) =>
      (await ctx.payments.countReading(paymentId, payment.disputesRead, session))
        ? apply(ctx, { paymentId, change }, session)
        : 'outdated',
    )
    if (giftToSend !== 'outdated') return finish(ctx, giftToSend)
  }
  throw unavailable('payment', `disputes of payment ${paymentId} are being read elsewhere`)
}

/** Resolves with the gift that has to be mailed, if any. */
async function apply(
  ctx: Context,
  { paymentId, change }: PaymentEvent,
  session: ClientSession,
): Promise<{ giftId: string } | null> {
  const now = ctx.clock.now()
  const payment = await ctx.payments.byId(paymentId, session)
  if (!payment) return null
  const gift = payment.giftId === null ? null : await ctx.gifts.byId(payment.giftId, session)
  const next = settle(payment, gift, change, now)
  if (!next) return null
  await ctx.payments.update(paymentId, next.payment, session)
  if (gift && next.gift) await ctx.gifts.move(gift._id, [gift.status], next.gift, session)
  await movePremium(ctx, payment, next, session)
  if (change === 'failed') ctx.logger.info({ paymentId }, 'checkout ended without a payment')
  return gift && next.gift?.status === 'paid' ? { giftId: gift._id } : null
}

async function finish(ctx: Context, toSend: { giftId: string } | null): Promise<void> {
  ctx.outbox.kick()
  if (toSend) await sendGift(ctx, toSend.giftId)
}
