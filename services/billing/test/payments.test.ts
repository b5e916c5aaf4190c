import { randomUUID } from 'node:crypto'
import { subscriptionEnded } from '@sumlock/contracts/billing-events'
import {
  upgrade,
  giftPremium,
  getPayment,
  getTimeline,
  redeemCode,
  stripeWebhook,
} from '@sumlock/contracts/subscription-routes'
import { waitUntil } from '@sumlock/deployment/wait-until'
import type { SignedEvent } from '@sumlock/testing/stripe-server'
import { getEntitlement } from '../src/use-cases/get-entitlement.ts'
import { runDue } from '../src/use-cases/run-due.ts'
import { billingWithStripe } from './billing-with-stripe.ts'

const yearMs = 365 * 86_400_000
const minute = 60_000
const shop = billingWithStripe()

const buy = (userId: string) => shop.billing.call(upgrade, { userId })
const give = (userId: string, recipientEmail = 'friend@example.com', giftMessage?: string) =>
  shop.billing.call(giftPremium, {
    userId,
    body: { recipientEmail, ...(giftMessage ? { giftMessage } : {}) },
  })
const tell = ({ body, signature }: SignedEvent) =>
  shop.billing.call(stripeWebhook, { body, headers: { 'stripe-signature': signature } })
const stateOf = async (userId: string, id: string) =>
  (await shop.billing.call(getPayment, { userId, params: { id } })).body
const premiumUntil = async (userId: string) =>
  (await getEntitlement(shop.billing.ctx, { userId })).subscriptionExpiresAt
/** Returns the events about a person that Kafka has acknowledged. */
const eventsOf = async (key: string) => {
  const rows = shop.billing.ctx.connection.collection<{ value: string }>('outbox')
  const published = await rows.find({ key, publishedAt: { $exists: true } }).toArray()
  return published.map(({ value }) => JSON.parse(value) as { type: string; data: object })
}
const grantsOf = (userId: string) => shop.billing.ctx.ledger.grantsOf(userId)
/** Buys and pays; resolves with the id of the payment. */
async function bought(userId: string): Promise<string> {
  const { paymentId } = (await buy(userId)).body
  expect((await tell(shop.stripe.pay(paymentId))).status).toBe(200)
  return paymentId
}

it('STATE-21: sells a year by a checkout, once, however often the webhook comes and in any order', async () => {
  const userId = randomUUID()
  const { status, body } = await buy(userId)
  expect(status).toBe(200)
  expect(body.checkoutUrl).toBe(shop.stripe.checkoutOf(body.paymentId).url)
  expect(await stateOf(userId, body.paymentId)).toEqual({ kind: 'upgrade', status: 'pending', gift: null })
  expect(await premiumUntil(userId)).toBeNull()

  const paid = shop.stripe.pay(body.paymentId)
  const expired = shop.stripe.sign(paid.body.replace('completed', 'expired'))
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => tell(index % 7 === 3 ? expired : paid)),
  )
  expect([...new Set(answers.map((answer) => answer.status))]).toEqual([200])
  const grants = await grantsOf(userId)
  expect(grants).toHaveLength(1)
  expect((grants[0]?.endsAt.getTime() ?? 0) - (grants[0]?.startsAt.getTime() ?? 0)).toBe(yearMs)
  expect(await stateOf(userId, body.paymentId)).toMatchObject({ status: 'paid' })
})

it('asks for $29 under a neutral name, and leads back to the page of this payment', async () => {
  const { paymentId } = (await buy(randomUUID())).body
  const form = shop.stripe.created.at(-1) as URLSearchParams
  expect(form.get('line_items[0][price_data][unit_amount]')).toBe('2900')
  expect(form.get('line_items[0][price_data][currency]')).toBe('usd')
  expect(form.get('success_url')).toMatch(new RegExp(`/settings/payment\\?id=${paymentId}$`))
  expect(form.get('cancel_url')).toBe(`${form.get('success_url')}&cancelled=1`)
  expect(form.get('payment_intent_data[metadata][paymentId]')).toBe(paymentId)
  expect([...form.values()].join(' ')).not.toMatch(/sumlock|messag|chat|premium|secur/i)
})

it('asks for the same price for a gift, and tells the provider neither for whom it is nor what it says', async () => {
  const { paymentId } = (await give(randomUUID(), 'friend@example.com', 'For all our chats')).body
  expect(shop.stripe.checkoutOf(paymentId)).toMatchObject({ amount_total: 2900, currency: 'usd' })
  const words = [...(shop.stripe.created.at(-1) as URLSearchParams).values()].join(' ')
  expect(words).toContain('Calculator, one year, as a present')
  expect(words).not.toMatch(/sumlock|messag|chat|premium|secur|friend/i)
})

it('takes a double tap for one purchase, and a later one for another', async () => {
  const userId = randomUUID()
  const taps = await Promise.all(Array.from({ length: 5 }, () => buy(userId)))
  expect(taps.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const ids = new Set(taps.map(({ body }) => body.paymentId))
  expect(ids.size).toBe(1)
  await tell(shop.stripe.pay([...ids][0] as string))
  const again = (await buy(userId)).body
  expect(again).toMatchObject({ subscriptionType: 'premium' })
  shop.offsetMs = 2 * minute
  expect((await buy(userId)).body.paymentId).toMatch(/-/)
  expect(await grantsOf(userId)).toHaveLength(1)
})

it('tries a checkout that could not be opened again under the same payment for half an hour', async () => {
  const [unreached, unheard] = [randomUUID(), randomUUID()]
  shop.stripe.failWith = 'silence'
  expect((await buy(unreached)).status).toBe(503)
  shop.stripe.failWith = 'lost'
  expect((await buy(unheard)).status).toBe(503)
  const made = shop.stripe.created.length
  shop.stripe.failWith = 'nothing'
  shop.offsetMs = 29 * minute
  for (const userId of [unreached, unheard]) {
    const { paymentId, checkoutUrl } = (await buy(userId)).body
    expect(checkoutUrl).toBe(shop.stripe.checkoutOf(paymentId).url)
    const payments = shop.billing.ctx.connection.collection('payments')
    expect(await payments.countDocuments({ userId })).toBe(1)
  }
  expect(shop.stripe.created).toHaveLength(made + 1)
})

it('leads to the same checkout until it ends, and to another one then', async () => {
  const userId = randomUUID()
  const { paymentId } = (await buy(userId)).body
  const endsMs = shop.stripe.checkoutOf(paymentId).expires_at * 1000
  shop.offsetMs = endsMs - Date.now() - 2 * minute
  expect((await buy(userId)).body.paymentId).toBe(paymentId)
  shop.offsetMs = endsMs - Date.now()
  expect((await buy(userId)).body.paymentId).not.toBe(paymentId)
})

it('adds a second year after the first', async () => {
  const userId = randomUUID()
  await bought(userId)
  const first = await premiumUntil(userId)
  shop.offsetMs = 2 * minute
  await bought(userId)
  expect(Date.parse((await premiumUntil(userId)) ?? '') - Date.parse(first ?? '')).toBe(yearMs)
})

it('settles a payment whose webhook never came when its page is read, and by itself within minutes', async () => {
  const [reader, absent] = [randomUUID(), randomUUID()]
  const read = (await buy(reader)).body.paymentId
  shop.stripe.pay(read)
  expect(await stateOf(reader, read)).toMatchObject({ status: 'paid' })
  expect(await grantsOf(reader)).toHaveLength(1)

  const unread = (await buy(absent)).body.paymentId
  shop.stripe.pay(unread)
  shop.offsetMs = 6 * minute
  await runDue(shop.billing.ctx, shop.billing.ctx.clock.now())
  expect(await grantsOf(absent)).toHaveLength(1)
})

it('a refused or abandoned checkout grants nothing, and a new purchase opens a new one', async () => {
  const userId = randomUUID()
  const { paymentId } = (await buy(userId)).body
  await tell(shop.stripe.expire(paymentId))
  expect(await stateOf(userId, paymentId)).toMatchObject({ status: 'failed' })
  expect(await premiumUntil(userId)).toBeNull()
  const next = (await buy(userId)).body.paymentId
  expect(next).not.toBe(paymentId)
})

it('a refused card leaves the checkout open for another one', async () => {
  const userId = randomUUID()
  const { paymentId, checkoutUrl } = (await buy(userId)).body
  expect((await tell(shop.stripe.decline(paymentId))).status).toBe(200)
  expect(await stateOf(userId, paymentId)).toMatchObject({ status: 'pending' })
  expect(await premiumUntil(userId)).toBeNull()
  expect((await buy(userId)).body).toMatchObject({ paymentId, checkoutUrl })
  await tell(shop.stripe.pay(paymentId))
  expect(await stateOf(userId, paymentId)).toMatchObject({ status: 'paid' })
})

it('a payment that fails after its checkout grants nothing, and a new purchase opens a new one', async () => {
  const userId = randomUUID()
  const { paymentId } = (await buy(userId)).body
  const failed = shop.stripe.failLater(paymentId)
  expect(await stateOf(userId, paymentId)).toMatchObject({ status: 'pending' })
  expect((await tell(failed)).status).toBe(200)
  expect(await stateOf(userId, paymentId)).toMatchObject({ status: 'failed' })
  expect(await premiumUntil(userId)).toBeNull()
  expect((await buy(userId)).body.paymentId).not.toBe(paymentId)
})

it('a webhook that comes before the checkout was answered counts once', async () => {
  const [told, unheard] = [randomUUID(), randomUUID()]
  shop.stripe.beforeAnswer = async (paymentId) => {
    expect((await tell(shop.stripe.pay(paymentId))).status).toBe(200)
  }
  const { paymentId, checkoutUrl } = (await buy(told)).body
  expect(await shop.billing.ctx.payments.byId(paymentId)).toMatchObject({ status: 'paid', checkoutUrl })
  shop.stripe.failWith = 'lost'
  expect((await buy(unheard)).status).toBe(503)
  shop.stripe.failWith = 'nothing'
  expect((await buy(unheard)).body).toMatchObject({ subscriptionType: 'premium' })
  for (const userId of [told, unheard]) expect(await grantsOf(userId)).toHaveLength(1)
})

it('a refund takes away its own year only, also when it comes before the payment', async () => {
  const userId = randomUUID()
  const first = await bought(userId)
  shop.offsetMs = 2 * minute
  await bought(userId)
  await tell(shop.stripe.refund(first))
  await tell(shop.stripe.refund(first))
  const left = Date.parse((await premiumUntil(userId)) ?? '')
  expect(Math.abs(left - (shop.billing.ctx.clock.nowMs() + yearMs))).toBeLessThan(minute)
  const published = await waitUntil('the event of the refund', async () => {
    const ended = (await eventsOf(userId)).filter(({ type }) => type === subscriptionEnded.type)
    return ended.length > 0 && ended
  })
  expect(published).toMatchObject([{ data: { userId } }])

  const other = randomUUID()
  const { paymentId } = (await buy(other)).body
  const paid = shop.stripe.pay(paymentId)
  await tell(shop.stripe.refund(paymentId))
  await tell(paid)
  expect(await premiumUntil(other)).toBeNull()
  expect(await stateOf(other, paymentId)).toMatchObject({ status: 'refunded' })
})

it.each(['error', 'silence'] as const)(
  'says that nothing was charged when the provider answers with %s',
  async (failure) => {
    shop.stripe.failWith = failure
    const userId = randomUUID()
    const { status, body } = await buy(userId)
    expect(status).toBe(503)
    expect(body).toMatchObject({
      code: 'payment_unavailable',
      error: expect.stringContaining('Nothing was charged'),
    })
    shop.stripe.failWith = 'nothing'
    expect((await buy(userId)).body.checkoutUrl).toMatch(/^http/)
  },
)

it('refuses webhooks that are forged, changed, too old or unsigned', async () => {
  const { paymentId } = (await buy(randomUUID())).body
  const { body, signature } = shop.stripe.pay(paymentId)
  const minuteAgo = Math.floor(Date.now() / 1000)
  const forged = [
    shop.stripe.sign(body, { secret: 'whsec_of_someone_else' }),
    { body: body.replace(paymentId, randomUUID()), signature },
    shop.stripe.sign(body, { atSeconds: minuteAgo - 600 }),
    { body, signature: '' },
  ]
  for (const event of forged) {
    const answer = await tell(event)
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('signature_invalid')
  }
})

it('shows a payment to its buyer only', async () => {
  const { paymentId } = (await buy(randomUUID())).body
  const answer = await shop.billing.call(getPayment, { userId: randomUUID(), params: { id: paymentId } })
  expect(answer.status).toBe(404)
})

it('a gift is redeemable once it is paid, and not after its refund', async () => {
  const [buyer, friend] = [randomUUID(), randomUUID()]
  const { paymentId } = (await give(buyer)).body
  expect((await stateOf(buyer, paymentId)).gift).toBeNull()
  await tell(shop.stripe.pay(paymentId))
  const { gift } = await stateOf(buyer, paymentId)
  expect(gift.recipientEmail).toBe('friend@example.com')
  await tell(shop.stripe.refund(paymentId))
  const refused = await shop.billing.call(redeemCode, {
    userId: friend,
    body: { upgradeCode: gift.upgradeCode },
  })
  expect(refused.status).toBe(404)
  expect(await premiumUntil(friend)).toBeNull()
})

it('a gift that cannot be mailed does not hold up what else is due', async () => {
  const [buyer, payer] = [randomUUID(), randomUUID()]
  const { paymentId: giftPayment } = (await give(buyer)).body
  const stuck = (await shop.billing.ctx.payments.byId(giftPayment))?.giftId
  const gifts = shop.billing.ctx.connection.collection<{ _id: string }>('subscription_gifts')
  const asPaid = { status: 'paid', paidAt: new Date(), codeKeyId: 'lost' }
  await gifts.updateOne({ _id: stuck ?? '' }, { $set: asPaid })
  const { paymentId } = (await buy(payer)).body
  shop.stripe.pay(paymentId)
  shop.offsetMs = 6 * minute
  await runDue(shop.billing.ctx, shop.billing.ctx.clock.now())
  expect(await grantsOf(payer)).toHaveLength(1)
  await gifts.deleteOne({ _id: stuck ?? '' })
})

it('tells why someone has premium, one year after the other', async () => {
  const userId = randomUUID()
  await bought(userId)
  shop.offsetMs = 2 * minute
  await bought(userId)
  const { body } = await shop.billing.call(getTimeline, { userId })
  expect(body.segments.map(({ source }) => source)).toEqual(['direct', 'direct'])
  const [first, second] = body.segments
  expect(second?.startsAt).toBe(first?.endsAt)
  expect(body.premiumUntil).toBe(second?.endsAt)
})
