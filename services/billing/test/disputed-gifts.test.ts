import { randomUUID } from 'node:crypto'
import { runDue } from '../src/use-cases/run-due.ts'
import { billingWithStripe } from './billing-with-stripe.ts'
import { actionsIn } from './shop-actions.ts'

const dayMs = 86_400_000
const shop = billingWithStripe()
const { tell, dispute, daysOf, paymentOf, ordered, given, redeem, giftOf } = actionsIn(shop)
const sweep = () => runDue(shop.billing.ctx, shop.billing.ctx.clock.now())

it('the time of a code stands still while its payment is disputed', async () => {
  const { paymentId, upgradeCode } = await given(randomUUID())
  shop.offsetMs = 300 * dayMs
  await dispute(paymentId, 'withdrawn')
  shop.offsetMs = 350 * dayMs
  await dispute(paymentId, 'won')
  const leftMs = ((await giftOf(paymentId)).expiresAt?.getTime() ?? 0) - shop.billing.ctx.clock.nowMs()
  expect(Math.round(leftMs / dayMs)).toBe(65)
  shop.offsetMs = 414 * dayMs
  await sweep()
  expect(await redeem(randomUUID(), upgradeCode)).toBe(200)
})

it('a gift that expires while it is disputed loses its recipient, and works again when the dispute is won', async () => {
  const friend = randomUUID()
  const { paymentId, upgradeCode } = await given(randomUUID())
  shop.offsetMs = 300 * dayMs
  await dispute(paymentId, 'withdrawn')
  shop.offsetMs = 400 * dayMs
  await sweep()
  expect(await giftOf(paymentId)).not.toHaveProperty('recipientEmail')
  await dispute(paymentId, 'won')
  shop.offsetMs = 464 * dayMs
  await sweep()
  expect(await redeem(friend, upgradeCode)).toBe(200)
  expect(await daysOf(friend)).toBe(365)
})

it('a gift that had expired before it was disputed stays expired when the dispute is won', async () => {
  const { paymentId, upgradeCode } = await given(randomUUID())
  shop.offsetMs = 366 * dayMs
  await dispute(paymentId, 'withdrawn')
  await dispute(paymentId, 'won')
  // It was not mailed again either.
  expect(await giftOf(paymentId)).toMatchObject({ status: 'disputed' })
  expect(await redeem(randomUUID(), upgradeCode)).toBe(404)
  await sweep()
  expect(await giftOf(paymentId)).toMatchObject({ status: 'expired' })
})

it('a gift that is disputed before its payment is reported expires a year later, or works when the dispute is won', async () => {
  const buyer = randomUUID()
  const paymentId = await ordered(buyer, 'gift')
  const paid = shop.stripe.pay(paymentId)
  await dispute(paymentId, 'withdrawn')
  expect(await tell(paid)).toBe(200)
  shop.offsetMs = 366 * dayMs
  await sweep()
  expect(await giftOf(paymentId)).toMatchObject({ status: 'expired' })
  expect(await giftOf(paymentId)).not.toHaveProperty('recipientEmail')

  shop.offsetMs = 0
  const friend = randomUUID()
  const won = await ordered(randomUUID(), 'gift')
  await dispute(won, 'withdrawn')
  await dispute(won, 'won')
  const { userId } = (await shop.billing.ctx.payments.byId(won)) ?? { userId: '' }
  expect(await redeem(friend, (await paymentOf(userId, won)).gift.upgradeCode)).toBe(200)
})
