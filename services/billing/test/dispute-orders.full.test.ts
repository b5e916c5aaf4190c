import { randomUUID } from 'node:crypto'
import type { SignedEvent } from '@sumlock/testing/stripe-server'
import { formatUpgradeCode } from '../src/domain/upgrade-code.ts'
import { runDue } from '../src/use-cases/run-due.ts'
import { billingWithStripe } from './billing-with-stripe.ts'
import { canRedeem, expectAfter, newPurchase, premiumOf } from './expected-purchase.ts'
import type { ExpectedPurchase, Happening } from './expected-purchase.ts'
import type { OpenBilling } from './open-billing.ts'
import { actionsIn } from './shop-actions.ts'

const dayMs = 86_400_000
const stepMs = 100 * dayMs
const shop = billingWithStripe()
const { tell, daysOf, ordered, redeem, giftOf, paymentOf } = actionsIn(shop)

interface Purchase {
  kind: 'upgrade' | 'gift'
  buyer: string
  friend: string
  paymentId: string
  code: string
}

async function start(kind: Purchase['kind']): Promise<Purchase> {
  const [buyer, friend] = [randomUUID(), randomUUID()]
  const paymentId = await ordered(buyer, kind)
  const code =
    kind === 'gift' ? formatUpgradeCode(shop.billing.ctx.codes.codeOf(await giftOf(paymentId))) : ''
  return { kind, buyer, friend, paymentId, code }
}

/** Triggers the event at Stripe and resolves to the work that one replica has to do for it. */
function happen(
  { paymentId, friend, code }: Purchase,
  happening: Happening,
): (billing: OpenBilling) => Promise<unknown> {
  const told = (event: SignedEvent) => async (billing: OpenBilling) =>
    expect(await tell(event, billing)).toBe(200)
  switch (happening) {
    case 'paid':
      return told(shop.stripe.pay(paymentId))
    case 'failed':
      return told(shop.stripe.expire(paymentId))
    case 'refunded':
      return told(shop.stripe.refund(paymentId))
    case 'withdrawn':
    case 'won':
    case 'lost':
      return told(shop.stripe.dispute(paymentId, happening))
    case 'redeem':
      return (billing) => redeem(friend, code, billing)
    case 'sweep':
      return ({ ctx }) => runDue(ctx, ctx.clock.now())
  }
}

async function seen({ kind, buyer, friend, paymentId, code }: Purchase) {
  const days = await daysOf(kind === 'gift' ? friend : buyer)
  const { status } = await paymentOf(buyer, paymentId)
  const gift = kind === 'gift' ? await giftOf(paymentId) : null
  const works = gift !== null && !gift.isRedeemed && (await redeem(randomUUID(), code)) === 200
  return { status, days, works }
}
const promised = (expected: ExpectedPurchase) => ({
  status: expected.status,
  days: Math.round(premiumOf(expected) / dayMs),
  works: canRedeem(expected),
})

it.each<[Purchase['kind'], string]>([
  ['upgrade', 'withdrawn paid won refunded'],
  ['upgrade', 'failed withdrawn won withdrawn won'],
  ['upgrade', 'paid withdrawn won withdrawn lost won'],
  ['upgrade', 'refunded paid withdrawn won'],
  ['gift', 'withdrawn paid sweep won redeem'],
  ['gift', 'paid withdrawn sweep sweep sweep sweep won'],
  ['gift', 'paid redeem withdrawn won withdrawn won'],
  ['gift', 'paid withdrawn won redeem withdrawn refunded'],
  ['gift', 'paid sweep sweep sweep sweep withdrawn won'],
])('%s, with two replicas in turn: %s', async (kind, order) => {
  const purchase = await start(kind)
  let expected = newPurchase(kind)
  for (const [index, happening] of (order.split(' ') as Happening[]).entries()) {
    shop.offsetMs += stepMs
    await happen(purchase, happening)(index % 2 === 0 ? shop.billing : shop.other)
    expected = expectAfter(expected, happening, stepMs)
  }
  expect(await seen(purchase)).toEqual(promised(expected))
})

it.each<[Purchase['kind'], string, Happening, Happening]>([
  ['upgrade', '', 'paid', 'withdrawn'],
  ['upgrade', 'paid', 'withdrawn', 'refunded'],
  ['upgrade', 'paid withdrawn', 'won', 'refunded'],
  ['gift', '', 'paid', 'withdrawn'],
  ['gift', 'paid', 'redeem', 'withdrawn'],
  ['gift', 'paid', 'redeem', 'refunded'],
  ['gift', 'paid withdrawn', 'redeem', 'won'],
  ['gift', 'paid withdrawn sweep sweep sweep', 'sweep', 'won'],
])('%s, on two replicas at once after "%s": %s and %s', async (kind, before, first, second) => {
  const purchase = await start(kind)
  let expected = newPurchase(kind)
  for (const happening of before.split(' ').filter(Boolean) as Happening[]) {
    shop.offsetMs += stepMs
    await happen(purchase, happening)(shop.billing)
    expected = expectAfter(expected, happening, stepMs)
  }
  shop.offsetMs += stepMs
  const [one, two] = [happen(purchase, first), happen(purchase, second)]
  await Promise.all([one(shop.billing), two(shop.other)])
  const inTurn = (happenings: [Happening, Happening]) =>
    promised(
      happenings.reduce((now, next, index) => expectAfter(now, next, index === 0 ? stepMs : 0), expected),
    )
  expect([inTurn([first, second]), inTurn([second, first])]).toContainEqual(await seen(purchase))
})
