import {
  getPayment,
  getTimeline,
  giftPremium,
  redeemCode,
  stripeWebhook,
  upgrade,
} from '@sumlock/contracts/subscription-routes'
import type { DisputeStage } from '@sumlock/testing/stripe-disputes'
import type { SignedEvent } from '@sumlock/testing/stripe-server'
import type { Shop } from './billing-with-stripe.ts'

const dayMs = 86_400_000

/** Actions of people and Stripe in a shop, and the texts that people read there. */
export function actionsIn(shop: Shop) {
  const tell = async ({ body, signature }: SignedEvent, billing = shop.billing) =>
    (await billing.call(stripeWebhook, { body, headers: { 'stripe-signature': signature } })).status
  const paymentOf = async (userId: string, id: string) =>
    (await shop.billing.call(getPayment, { userId, params: { id } })).body
  const timelineOf = async (userId: string) => (await shop.billing.call(getTimeline, { userId })).body
  const ordered = async (buyer: string, kind: 'upgrade' | 'gift'): Promise<string> => {
    const body = { recipientEmail: 'friend@example.com' }
    const [contract, input] = kind === 'gift' ? ([giftPremium, { body }] as const) : ([upgrade, {}] as const)
    return (await shop.billing.call(contract, { userId: buyer, ...input })).body.paymentId
  }
  const paid = async (paymentId: string) => expect(await tell(shop.stripe.pay(paymentId))).toBe(200)
  return {
    tell,
    paymentOf,
    timelineOf,
    ordered,
    async dispute(paymentId: string, stage: DisputeStage, name?: 'first' | 'second') {
      expect(await tell(shop.stripe.dispute(paymentId, stage, name))).toBe(200)
    },
    /** The remaining days of premium, as the person reads them. */
    async daysOf(userId: string) {
      const { premiumUntil } = await timelineOf(userId)
      const leftMs = Date.parse(premiumUntil ?? '') - shop.billing.ctx.clock.nowMs()
      return Math.max(0, Math.round(leftMs / dayMs) || 0)
    },
    endsOf: async (userId: string) =>
      (await timelineOf(userId)).ended.map(({ what, reason }) => [what, reason]),
    async bought(userId: string): Promise<string> {
      const paymentId = await ordered(userId, 'upgrade')
      await paid(paymentId)
      return paymentId
    },
    async given(buyer: string): Promise<{ paymentId: string; upgradeCode: string }> {
      const paymentId = await ordered(buyer, 'gift')
      await paid(paymentId)
      return { paymentId, upgradeCode: (await paymentOf(buyer, paymentId)).gift.upgradeCode }
    },
    redeem: async (userId: string, upgradeCode: string, billing = shop.billing) =>
      (await billing.call(redeemCode, { userId, body: { upgradeCode } })).status,
    async giftOf(paymentId: string) {
      const { giftId } = (await shop.billing.ctx.payments.byId(paymentId)) ?? {}
      const gift = giftId ? await shop.billing.ctx.gifts.byId(giftId) : null
      if (!gift) throw new Error(`payment ${paymentId} has no gift`)
      return gift
    },
  }
}
