import { randomUUID } from 'node:crypto'
import { billingWithStripe } from './billing-with-stripe.ts'
import { actionsIn } from './shop-actions.ts'

const shop = billingWithStripe()
const { tell, dispute, paymentOf, daysOf, bought, given, giftOf } = actionsIn(shop)

/** Holds the next answer about disputes that Stripe has already read. */
function holdNextAnswer() {
  const [read, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  shop.stripe.afterDisputesRead = () => {
    shop.stripe.afterDisputesRead = () => Promise.resolve()
    read.resolve()
    return released.promise
  }
  return { read: read.promise, release: released.resolve }
}

it.each(['before', 'after'] as const)(
  'an old answer about a dispute is not stored after a newer one: read %s the premium was taken',
  async (moment) => {
    const userId = randomUUID()
    const paymentId = await bought(userId)
    if (moment === 'after') await dispute(paymentId, 'withdrawn')
    const held = holdNextAnswer()
    const late = tell(shop.stripe.dispute(paymentId, 'withdrawn'))
    await held.read
    expect(await tell(shop.stripe.dispute(paymentId, 'won'), shop.other)).toBe(200)
    held.release()
    expect(await late).toBe(200)
    expect(await paymentOf(userId, paymentId)).toMatchObject({ status: 'paid' })
    expect(await daysOf(userId)).toBe(365)
  },
)

it('an old answer that a dispute was won is not stored after the money was withdrawn a second time', async () => {
  const userId = randomUUID()
  const paymentId = await bought(userId)
  await dispute(paymentId, 'withdrawn')
  const held = holdNextAnswer()
  const late = tell(shop.stripe.dispute(paymentId, 'won'))
  await held.read
  expect(await tell(shop.stripe.dispute(paymentId, 'withdrawn', 'second'), shop.other)).toBe(200)
  held.release()
  expect(await late).toBe(200)
  expect(await paymentOf(userId, paymentId)).toMatchObject({ status: 'disputed' })
  expect(await daysOf(userId)).toBe(0)
})

it('a repeated event of a dispute that we won changes nothing while a second one is open', async () => {
  const userId = randomUUID()
  const paymentId = await bought(userId)
  await dispute(paymentId, 'withdrawn')
  await dispute(paymentId, 'won')
  await dispute(paymentId, 'withdrawn', 'second')
  await dispute(paymentId, 'won')
  expect(await daysOf(userId)).toBe(0)
  await dispute(paymentId, 'won', 'second')
  expect(await daysOf(userId)).toBe(365)
})

it('a replica that always reads too late requests the event again', async () => {
  const paymentId = await bought(randomUUID())
  shop.stripe.afterDisputesRead = async () => {
    const { connection } = shop.other.ctx
    await connection
      .collection<{ _id: string }>('payments')
      .updateOne({ _id: paymentId }, { $inc: { disputesRead: 1 } })
  }
  expect(await tell(shop.stripe.dispute(paymentId, 'withdrawn'))).toBe(503)
})

it('a gift is mailed once more, and its premium returned once, by two replicas that read the same win', async () => {
  const [buyer, upgraded] = [randomUUID(), randomUUID()]
  const { paymentId } = await given(buyer)
  const other = await bought(upgraded)
  for (const id of [paymentId, other]) await dispute(id, 'withdrawn')
  const events = [paymentId, other].map((id) => shop.stripe.dispute(id, 'won'))
  const answers = events.flatMap((event) => [tell(event), tell(event, shop.other), tell(event)])
  expect(await Promise.all(answers)).toEqual(events.flatMap(() => [200, 200, 200]))
  expect(await giftOf(paymentId)).toMatchObject({ status: 'sent' })
  expect(await daysOf(upgraded)).toBe(365)
})
