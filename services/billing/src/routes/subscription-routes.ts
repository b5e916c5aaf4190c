import * as contract from '@sumlock/contracts/subscription-routes'
import { yearPrice } from '@sumlock/contracts/price'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import type { Context } from '../context.ts'
import { formatUpgradeCode } from '../domain/upgrade-code.ts'
import { signatureInvalid } from '../domain/store-errors.ts'
import { getPlan } from '../use-cases/get-entitlement.ts'
import { getTimeline } from '../use-cases/get-timeline.ts'
import { paymentUnavailable, purchase } from '../use-cases/purchase.ts'
import { readPayment } from '../use-cases/read-payment.ts'
import { redeemCode } from '../use-cases/redeem-code.ts'
import { settleDisputes, settlePayment } from '../use-cases/settle-payment.ts'

export function bindSubscriptionRoutes(bind: RouteBinder, ctx: Context): void {
  bind(contract.getOffer, () => ({ provider: ctx.provider?.provider ?? null, price: yearPrice.label }))

  bind(contract.upgrade, async ({ caller: { userId } }) => {
    const result = await purchase(ctx, { kind: 'upgrade', userId })
    return result.isPaid
      ? getPlan(ctx, userId)
      : { paymentId: result.payment._id, checkoutUrl: result.checkoutUrl }
  })

  bind(contract.giftPremium, async ({ caller: { userId }, body: { recipientEmail, giftMessage = '' } }) => {
    const result = await purchase(ctx, { kind: 'gift', userId, recipientEmail, giftMessage })
    const { _id: paymentId, giftId } = result.payment
    if (!result.isPaid) return { paymentId, checkoutUrl: result.checkoutUrl }
    const gift = await ctx.gifts.byId(giftId ?? '')
    if (!gift) throw paymentUnavailable(`gift ${giftId} is missing`)
    return { upgradeCode: formatUpgradeCode(ctx.codes.codeOf(gift)), recipientEmail }
  })

  bind(contract.redeemCode, async ({ caller: { userId }, body, meta: { clientAddress } }) => {
    await redeemCode(ctx, { userId, clientAddress, upgradeCode: body.upgradeCode })
    return getPlan(ctx, userId)
  })

  bind(contract.getPayment, ({ caller: { userId }, params: { id } }) => readPayment(ctx, { id, userId }))
  bind(contract.getTimeline, ({ caller }) => getTimeline(ctx, caller))

  bind(contract.stripeWebhook, async ({ body, meta: { signature } }) => {
    if (!ctx.provider) throw signatureInvalid('no payments here')
    const event = await ctx.provider.readEvent(body, signature, ctx.clock.now())
    if (event && 'chargeId' in event) await settleDisputes(ctx, ctx.provider, event)
    else if (event) await settlePayment(ctx, event)
    return { ok: true as const }
  })
}
