import { z } from 'zod'
import { upgradeCode } from './code-fields.ts'
import { exampleValues } from './example-values.ts'
import { email } from './account-fields.ts'
import { giftMessage, id, timestamp } from './primitives.ts'
import { rawBody } from './route-body.ts'
import { defineRoute } from './route.ts'
import { entitlementView } from './user.ts'

/** The service waits up to 5 s for the payment provider, which usually answers within two. */
const providerDeadlineMs = 8000
const perPerson = { points: 30, seconds: 600 } as const

/** The buyer pays on the page `checkoutUrl`. The payment is then read by its id. */
const checkout = z.object({
  paymentId: id,
  checkoutUrl: z.url({ protocol: /^https?$/ }).describe('The page of the payment provider.'),
})
const gift = z.object({
  upgradeCode: z.string().describe('As a person types it: four groups of four.'),
  recipientEmail: email,
})

export const getOffer = defineRoute({
  method: 'GET',
  path: '/api/subscription/offer',
  service: 'billing',
  access: 'session',
  summary: 'How premium can be paid for here; `provider` null: not at all.',
  responses: {
    200: z.object({
      provider: z.enum(['sandbox', 'stripe']).nullable().describe('`sandbox` takes no money.'),
      price: z.string(),
    }),
  },
  errors: [],
})

export const upgrade = defineRoute({
  method: 'POST',
  path: '/api/subscription/upgrade',
  service: 'billing',
  access: 'session',
  summary:
    'Buys a year of premium: at once in the sandbox, else `checkoutUrl` leads to the provider. Repeated within a minute, or while the checkout is open, it is the same purchase.',
  responses: { 200: z.union([checkout, entitlementView]) },
  errors: ['payment_unavailable'],
  deadlineMs: providerDeadlineMs,
  rate: { perPerson },
})

export const giftPremium = defineRoute({
  method: 'POST',
  path: '/api/subscription/gift',
  service: 'billing',
  access: 'session',
  summary:
    'Buys a year of premium for someone else. Once paid, the code is mailed with the message, and the buyer sees it. Repeated like an upgrade.',
  body: z.strictObject({ recipientEmail: email, giftMessage: giftMessage.optional() }),
  example: { body: { recipientEmail: exampleValues.email } },
  responses: { 200: z.union([checkout, gift]) },
  errors: ['payment_unavailable'],
  deadlineMs: providerDeadlineMs,
  rate: { perPerson },
})

export const redeemCode = defineRoute({
  method: 'POST',
  path: '/api/subscription/redeem',
  service: 'billing',
  access: 'session',
  summary:
    'Redeems the code of a gift for a year of premium. The same person again gets the same answer. Unknown, expired and used codes have one error text; tries are counted per person and address.',
  body: z.strictObject({ upgradeCode }),
  example: { body: { upgradeCode: exampleValues.upgradeCode } },
  responses: { 200: entitlementView },
  errors: ['upgrade_code_unknown', 'upgrade_code_used', 'too_many_requests'],
})

export const getPayment = defineRoute({
  method: 'GET',
  path: '/api/subscription/payments/:id',
  service: 'billing',
  access: 'session',
  summary:
    'One payment of the caller. While it is pending, the provider is asked, so that a late webhook delays nothing.',
  params: z.object({ id }),
  example: { params: { id: exampleValues.paymentId } },
  responses: {
    200: z.object({
      kind: z.enum(['upgrade', 'gift']),
      status: z
        .enum(['pending', 'paid', 'failed', 'disputed', 'refunded'])
        .describe('`disputed`: the buyer’s bank has taken the money back, and nothing is decided yet.'),
      gift: gift.nullable().describe('Of a gift that was paid.'),
    }),
  },
  errors: ['payment_not_found'],
  deadlineMs: providerDeadlineMs,
})

export const getTimeline = defineRoute({
  method: 'GET',
  path: '/api/subscription/timeline',
  service: 'billing',
  access: 'session',
  summary:
    'Why the caller has premium, until when, and what of it ended early. Needs an unlocked session or a recent sign-in.',
  responses: {
    200: z.object({
      premiumUntil: timestamp.nullable(),
      segments: z
        .array(
          z.object({
            source: z.enum(['direct', 'store', 'gift', 'code', 'promo', 'admin']),
            startsAt: timestamp,
            endsAt: timestamp,
          }),
        )
        .describe('Present and future ones, in order.'),
      ended: z
        .array(
          z.object({
            what: z.enum(['upgrade', 'received-gift', 'given-gift']),
            reason: z.enum(['refunded', 'disputed']),
            at: timestamp,
          }),
        )
        .describe('What ended early in the last 90 days, because its payment went back to the buyer.'),
    }),
  },
  errors: ['step_up_required'],
})

export const stripeWebhook = defineRoute({
  method: 'POST',
  path: '/api/webhooks/stripe',
  service: 'billing',
  access: 'webhook',
  signatureHeader: 'stripe-signature',
  summary:
    'Events of the payment provider. Answered once their effect is stored; repeated and reordered ones do no harm.',
  body: rawBody,
  bodyMaxBytes: 256 * 1024,
  responses: { 200: z.object({ ok: z.literal(true) }) },
  errors: ['signature_invalid'],
  deadlineMs: providerDeadlineMs,
})
