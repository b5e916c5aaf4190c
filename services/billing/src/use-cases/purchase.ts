import { createHash, randomUUID } from 'node:crypto'
import { yearPrice } from '@sumlock/contracts/price'
import { AppError } from '@sumlock/service-kit/app-error'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import type { Gift } from '../domain/gift.ts'
import { checkoutLifetimeMs, openingMs } from '../domain/payment.ts'
import type { Payment, Payments } from '../domain/payment.ts'
import { settlePayment } from './settle-payment.ts'

export type Purchase =
  | { kind: 'upgrade'; userId: string }
  | { kind: 'gift'; userId: string; recipientEmail: string; giftMessage: string }

export type PurchaseResult =
  { isPaid: true; payment: Payment } | { isPaid: false; payment: Payment; checkoutUrl: string }

/** The same purchase within this time after it was paid is a double tap. */
const repeatedWithinMs = 60_000
/** A checkout is not offered in its last minute, because the buyer could not complete it in time. */
const tooLateMs = 60_000

export const paymentUnavailable = (cause?: unknown) =>
  new AppError(
    'unavailable',
    'payment_unavailable',
    'Payments are not available right now. Nothing was charged. Please try again later.',
    {},
    { cause },
  )

/**
 * Buys a year of premium, for oneself or as a gift. The payment is stored before the provider is called. The same purchase
 * returns the same payment while its checkout is open, and within a minute after it was paid.
 */
export async function purchase(ctx: Context, input: Purchase): Promise<PurchaseResult> {
  const { provider } = ctx
  if (!provider) throw paymentUnavailable()
  const payment = await openPayment(ctx, provider, input)
  if (payment.status === 'paid') return { isPaid: true, payment }
  const checkoutUrl = payment.checkoutUrl ?? (await openCheckout(ctx, provider, payment))
  if (checkoutUrl) return { isPaid: false, payment, checkoutUrl }
  await settlePayment(ctx, { paymentId: payment._id, change: 'paid' })
  return { isPaid: true, payment }
}

/** Opens the checkout and resolves with its page, or with undefined when the payment needs none. */
async function openCheckout(ctx: Context, provider: Payments, payment: Payment): Promise<string | undefined> {
  const checkout = await provider.openCheckout(payment).catch((error: unknown) => {
    throw paymentUnavailable(error)
  })
  if ('refusal' in checkout) {
    await settlePayment(ctx, { paymentId: payment._id, change: 'failed' })
    throw paymentUnavailable(checkout.refusal)
  }
  await ctx.payments.setCheckout(payment._id, checkout)
  return checkout.checkoutUrl
}

/** Resolves with a new payment, or with the one that this purchase repeats. */
async function openPayment(ctx: Context, { provider }: Payments, input: Purchase): Promise<Payment> {
  const openKey = openKeyOf(input)
  for (;;) {
    const now = ctx.clock.now()
    const known = await ctx.payments.byOpenKey(openKey)
    if (known && isRepeated(known, now) && known.provider === provider) return known
    if (known) await ctx.payments.release(known)
    const giftId = input.kind === 'gift' ? randomUUID() : null
    const payment: Payment = {
      _id: randomUUID(),
      userId: input.userId,
      kind: input.kind,
      giftId,
      provider,
      cents: yearPrice.cents,
      currency: yearPrice.currency,
      status: 'created',
      openKey,
      createdAt: now,
      paidAt: null,
      checkedAt: now,
    }
    try {
      await transact(ctx.connection, async (session) => {
        await ctx.payments.insert(payment, session)
        if (input.kind === 'gift') await ctx.gifts.insert(newGift(ctx, giftId ?? '', input, now), session)
      })
      return payment
    } catch (error) {
      // A concurrent request has stored the same purchase, and the next turn of the loop finds it.
      if ((error as { code?: number }).code !== 11000) throw error
    }
  }
}

function isRepeated({ status, createdAt, paidAt, checkoutUrl }: Payment, now: Date): boolean {
  const since = (time: Date | null) => now.getTime() - (time?.getTime() ?? 0)
  if (status === 'created')
    return since(createdAt) < (checkoutUrl ? checkoutLifetimeMs - tooLateMs : openingMs)
  return status === 'paid' && since(paidAt) < repeatedWithinMs
}

function openKeyOf(input: Purchase): string {
  if (input.kind === 'upgrade') return `upgrade:${input.userId}`
  const about = createHash('sha256').update(JSON.stringify([input.recipientEmail, input.giftMessage]))
  return `gift:${input.userId}:${about.digest('base64url')}`
}

const newGift = (
  ctx: Context,
  id: string,
  { userId, recipientEmail, giftMessage }: Extract<Purchase, { kind: 'gift' }>,
  now: Date,
): Gift => ({
  _id: id,
  buyerId: userId,
  recipientEmail,
  giftMessage,
  ...ctx.codes.create(id),
  status: 'created',
  createdAt: now,
  paidAt: null,
  expiresAt: null,
  isRedeemed: false,
  redeemedBy: null,
  redeemedAt: null,
})
