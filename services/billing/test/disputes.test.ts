import { randomUUID } from 'node:crypto'
import { upgrade } from '@sumlock/contracts/subscription-routes'
import { transact } from '@sumlock/service-kit/transact'
import { setStoreEnd } from '../src/use-cases/change-ledger.ts'
import { runDue } from '../src/use-cases/run-due.ts'
import { billingWithStripe } from './billing-with-stripe.ts'
import { actionsIn } from './shop-actions.ts'

const dayMs = 86_400_000
const yearMs = 365 * dayMs
const shop = billingWithStripe()

const { tell, dispute, paymentOf, timelineOf, daysOf, endsOf, bought, given, redeem } = actionsIn(shop)

it('an inquiry of the bank changes nothing', async () => {
  const userId = randomUUID()
  const paymentId = await bought(userId)
  await dispute(paymentId, 'inquiry')
  expect(await daysOf(userId)).toBe(365)
  expect(await paymentOf(userId, paymentId)).toMatchObject({ status: 'paid' })
  expect(await endsOf(userId)).toEqual([])
})

it('money that a bank withdraws takes the premium with it, and the buyer reads why', async () => {
  const userId = randomUUID()
  const paymentId = await bought(userId)
  await dispute(paymentId, 'withdrawn')
  await dispute(paymentId, 'withdrawn')
  expect(await daysOf(userId)).toBe(0)
  expect(await paymentOf(userId, paymentId)).toMatchObject({ status: 'disputed' })
  expect(await endsOf(userId)).toEqual([['upgrade', 'disputed']])
  shop.offsetMs = 91 * dayMs
  expect(await endsOf(userId)).toEqual([])
})

it('a dispute that we win gives back what was left, once', async () => {
  const userId = randomUUID()
  const paymentId = await bought(userId)
  shop.offsetMs = 100 * dayMs
  await dispute(paymentId, 'withdrawn')
  expect(await daysOf(userId)).toBe(0)
  shop.offsetMs = 150 * dayMs
  await dispute(paymentId, 'won')
  await dispute(paymentId, 'won')
  expect(await daysOf(userId)).toBe(265)
  expect(await paymentOf(userId, paymentId)).toMatchObject({ status: 'paid' })
  expect(await endsOf(userId)).toEqual([])
  expect((await timelineOf(userId)).segments.map(({ source }) => source)).toEqual(['direct'])
})

it('a second year loses nothing by a dispute about the first one that we win', async () => {
  const userId = randomUUID()
  const first = await bought(userId)
  shop.offsetMs = 50 * dayMs
  await bought(userId)
  shop.offsetMs = 100 * dayMs
  await dispute(first, 'withdrawn')
  expect(await daysOf(userId)).toBe(315)
  await dispute(first, 'won')
  expect(await daysOf(userId)).toBe(630)
})

it.each(['upgrade', 'gift'] as const)(
  'a dispute that we win gives back the time that runs beside a store subscription: %s',
  async (kind) => {
    const userId = randomUUID()
    const gift = kind === 'gift' ? await given(randomUUID()) : null
    const paymentId = gift?.paymentId ?? (await bought(userId))
    if (gift) expect(await redeem(userId, gift.upgradeCode)).toBe(200)
    const { ctx } = shop.billing
    const startsAt = ctx.clock.now()
    const grantId = randomUUID()
    const subscribedUntil = (day: number) =>
      transact(ctx.connection, (session) =>
        setStoreEnd(ctx, session, {
          grantId,
          userId,
          startsAt,
          endsAt: new Date(startsAt.getTime() + day * dayMs),
        }),
      )
    await subscribedUntil(366)
    shop.offsetMs = 10 * dayMs
    await dispute(paymentId, 'withdrawn')
    await dispute(paymentId, 'won')
    expect(await daysOf(userId)).toBe(356)
    shop.offsetMs = 20 * dayMs
    await subscribedUntil(20)
    expect(await daysOf(userId)).toBe(345)
    await tell(shop.stripe.refund(paymentId))
    expect(await daysOf(userId)).toBe(0)
  },
)

it('a lost dispute is a refund, and a later report of a win changes nothing', async () => {
  const userId = randomUUID()
  const paymentId = await bought(userId)
  await dispute(paymentId, 'withdrawn')
  await dispute(paymentId, 'lost')
  await dispute(paymentId, 'won')
  expect(await paymentOf(userId, paymentId)).toMatchObject({ status: 'refunded' })
  expect(await daysOf(userId)).toBe(0)
  expect(await endsOf(userId)).toEqual([['upgrade', 'disputed']])
})

it('a lost dispute whose beginning was never reported takes the premium, too', async () => {
  const userId = randomUUID()
  await dispute(await bought(userId), 'lost')
  expect(await daysOf(userId)).toBe(0)
})

it('a payment that is refunded after a won dispute loses what the dispute gave back', async () => {
  const userId = randomUUID()
  const paymentId = await bought(userId)
  await dispute(paymentId, 'withdrawn')
  await dispute(paymentId, 'won')
  expect(await daysOf(userId)).toBe(365)
  await tell(shop.stripe.refund(paymentId))
  expect(await daysOf(userId)).toBe(0)
  expect(await endsOf(userId)).toEqual([['upgrade', 'refunded']])
})

it('a payment that is disputed before it is reported is not granted until the dispute is won', async () => {
  const userId = randomUUID()
  const { paymentId } = (await shop.billing.call(upgrade, { userId })).body
  const paid = shop.stripe.pay(paymentId)
  await dispute(paymentId, 'withdrawn')
  await tell(paid)
  expect(await daysOf(userId)).toBe(0)
  await dispute(paymentId, 'won')
  expect(await daysOf(userId)).toBe(365)
})

it('premium that a gift gave ends with the refund of the gift, and both people read why', async () => {
  const [buyer, friend] = [randomUUID(), randomUUID()]
  const { paymentId, upgradeCode } = await given(buyer)
  expect(await redeem(friend, upgradeCode)).toBe(200)
  expect(await daysOf(friend)).toBe(365)
  await tell(shop.stripe.refund(paymentId))
  expect(await daysOf(friend)).toBe(0)
  expect(await endsOf(friend)).toEqual([['received-gift', 'refunded']])
  expect(await endsOf(buyer)).toEqual([['given-gift', 'refunded']])
  expect(await redeem(friend, upgradeCode)).toBe(409)
})

it('a disputed gift is paused for whoever redeemed it, and goes on when the dispute is won', async () => {
  const [buyer, friend] = [randomUUID(), randomUUID()]
  const { paymentId, upgradeCode } = await given(buyer)
  await redeem(friend, upgradeCode)
  shop.offsetMs = 65 * dayMs
  await dispute(paymentId, 'withdrawn')
  expect(await daysOf(friend)).toBe(0)
  expect(await endsOf(friend)).toEqual([['received-gift', 'disputed']])
  expect(await endsOf(buyer)).toEqual([['given-gift', 'disputed']])
  shop.offsetMs = 100 * dayMs
  await dispute(paymentId, 'won')
  expect(await daysOf(friend)).toBe(300)
  expect(await endsOf(friend)).toEqual([])
  expect(await endsOf(buyer)).toEqual([])
  expect((await timelineOf(friend)).segments.map(({ source }) => source)).toEqual(['gift'])
})

it('the code of a disputed gift works again for a year, and is mailed again, when the dispute is won', async () => {
  const [buyer, friend] = [randomUUID(), randomUUID()]
  const { paymentId, upgradeCode } = await given(buyer)
  await dispute(paymentId, 'withdrawn')
  expect(await redeem(friend, upgradeCode)).toBe(404)
  shop.offsetMs = yearMs - dayMs
  await dispute(paymentId, 'won')
  shop.offsetMs = yearMs + dayMs
  await runDue(shop.billing.ctx, shop.billing.ctx.clock.now())
  expect(
    await shop.billing.ctx.gifts.byId((await shop.billing.ctx.payments.byId(paymentId))?.giftId ?? ''),
  ).toMatchObject({
    status: 'sent',
  })
  expect(await redeem(friend, upgradeCode)).toBe(200)
})

it.each(['refund', 'second dispute'])(
  'premium of a gift that was redeemed after a won dispute ends with a %s',
  async (end) => {
    const friend = randomUUID()
    const { paymentId, upgradeCode } = await given(randomUUID())
    await dispute(paymentId, 'withdrawn')
    await dispute(paymentId, 'won')
    expect(await redeem(friend, upgradeCode)).toBe(200)
    expect(await daysOf(friend)).toBe(365)
    if (end === 'refund') await tell(shop.stripe.refund(paymentId))
    else await dispute(paymentId, 'withdrawn')
    expect(await daysOf(friend)).toBe(0)
  },
)

it('a gift whose dispute never ends expires after its year and loses its recipient', async () => {
  const { paymentId } = await given(randomUUID())
  await dispute(paymentId, 'withdrawn')
  const giftId = (await shop.billing.ctx.payments.byId(paymentId))?.giftId ?? ''
  expect(await shop.billing.ctx.gifts.byId(giftId)).toMatchObject({ recipientEmail: 'friend@example.com' })
  shop.offsetMs = yearMs + dayMs
  await runDue(shop.billing.ctx, shop.billing.ctx.clock.now())
  const gift = await shop.billing.ctx.gifts.byId(giftId)
  expect(gift).toMatchObject({ status: 'expired' })
  expect(gift).not.toHaveProperty('recipientEmail')
})

it.each(['error', 'silence'] as const)(
  'requests the event again when the dispute cannot be read: %s',
  async (failure) => {
    const userId = randomUUID()
    const paymentId = await bought(userId)
    const event = shop.stripe.dispute(paymentId, 'withdrawn')
    shop.stripe.failWith = failure
    expect(await tell(event)).toBe(503)
    expect(await daysOf(userId)).toBe(365)
    shop.stripe.failWith = 'nothing'
    expect(await tell(event)).toBe(200)
    expect(await daysOf(userId)).toBe(0)
  },
)
