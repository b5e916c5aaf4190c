import { AppError } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { formatUpgradeCode } from '../domain/upgrade-code.ts'
import type { Payment } from '../domain/payment.ts'
import { settlePayment } from './settle-payment.ts'

/** Returns a payment of the caller. While it is open, its state is read from the provider, because the webhook may be late. */
export async function readPayment(ctx: Context, input: { id: string; userId: string }) {
  const stored = await ctx.payments.byId(input.id)
  if (stored?.userId !== input.userId)
    throw new AppError(
      'not-found',
      'payment_not_found',
      'This account has no such payment. Please sign in to the account that paid.',
    )
  const payment = await checkPayment(ctx, stored)
  const gift = payment.giftId === null ? null : await ctx.gifts.byId(payment.giftId)
  const { recipientEmail } = gift ?? {}
  return {
    kind: payment.kind,
    status: payment.status === 'created' ? ('pending' as const) : payment.status,
    gift:
      gift && recipientEmail && payment.status === 'paid'
        ? { upgradeCode: formatUpgradeCode(ctx.codes.codeOf(gift)), recipientEmail }
        : null,
  }
}

/** Reads an open payment from its provider and settles it. If the provider gives no answer, the payment stays as it is. */
export async function checkPayment(ctx: Context, payment: Payment): Promise<Payment> {
  if (payment.status !== 'created' || !payment.checkoutId || ctx.provider?.provider !== payment.provider)
    return payment
  const state = await ctx.provider.stateOf(payment.checkoutId).catch((error: unknown) => {
    ctx.logger.warn({ err: error, paymentId: payment._id }, 'payment could not be read from its provider')
    return 'open' as const
  })
  if (state === 'open') return payment
  await settlePayment(ctx, { paymentId: payment._id, change: state })
  return (await ctx.payments.byId(payment._id)) ?? payment
}
