import { setTimeout as wait } from 'node:timers/promises'
import { appStoreWebhook, validateIos } from '@sumlock/contracts/store-routes'
import {
  getPayment,
  giftPremium,
  redeemCode,
  stripeWebhook,
  upgrade,
} from '@sumlock/contracts/subscription-routes'
import { waitUntil } from '@sumlock/deployment/wait-until'
import type { Stack } from '@sumlock/dev/product/services'
import { startAppStoreServer } from '@sumlock/testing/app-store-server'
import type { AppStoreServer } from '@sumlock/testing/app-store-server'
import { testSeed } from '@sumlock/testing/config'
import { withDatabase } from '@sumlock/testing/database'
import { startTestStack } from '@sumlock/testing/engines'
import { seededRandom } from '@sumlock/testing/faults/seeded-random'
import { registerPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { startStripeServer } from '@sumlock/testing/stripe-server'
import type { StripeServer } from '@sumlock/testing/stripe-server'

const points = 20
const yearMs = 365 * 86_400_000
const seed = testSeed()

let stripe: StripeServer
let apple: AppStoreServer
let stack: Stack
beforeAll(async () => {
  process.stderr.write(`  seed ${seed}\n`)
  stripe = await startStripeServer()
  apple = await startAppStoreServer()
  stack = await startTestStack({ env: { billing: { ...stripe.settings, APP_STORE: apple.setting } } })
})
afterAll(async () => {
  await stack?.stop()
  await Promise.all([stripe?.close(), apple?.close()])
})

/** Sends a webhook until it is accepted, as a provider does. */
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  waitUntil(`${path} is accepted`, async () => {
    const options = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }
    return (await fetch(stack.gatewayUrl + path, options)).ok
  })
/** Tries until there is an answer, as a person does. */
const untilAnswered = <T>(what: string, call: () => Promise<T>) => waitUntil(what, call)

async function pay({ client }: Person, route: typeof upgrade | typeof giftPremium): Promise<string> {
  const body = route === giftPremium ? { recipientEmail: 'friend@example.com' } : undefined
  const checkout = await untilAnswered('the checkout', () => client.ok(route, { body }))
  if (!('paymentId' in checkout)) throw new Error('paid without a checkout')
  const { body: event, signature } = stripe.pay(checkout.paymentId)
  await post(stripeWebhook.path, event, { 'stripe-signature': signature })
  return checkout.paymentId
}

const codeOf = async ({ client }: Person, id: string) =>
  untilAnswered('the code', async () => (await client.ok(getPayment, { params: { id } })).gift?.upgradeCode)

it(`billing killed at ${points} random points of pay, gift, redeem and renew grants nothing twice and loses nothing`, async () => {
  const random = seededRandom(seed)
  const year = new Map<string, number>()
  const store = new Map<string, number>()
  const buyers: string[] = []
  for (let point = 0; point < points; point += 1) {
    const [payer, giver, friend, subscriber] = await Promise.all(
      [1, 2, 3, 4].map(() => registerPerson(stack)),
    )
    if (!payer || !giver || !friend || !subscriber) throw new Error('four people')
    const earlier = await codeOf(giver, await pay(giver, giftPremium))
    const purchase = apple.purchase({ expiresDate: Date.now() + 30 * 86_400_000 })
    await subscriber.client.ok(validateIos, { body: purchase })
    const renewed = Date.now() + 60 * 86_400_000
    apple.change(purchase.transactionId, { expiresDate: renewed })

    const actions = [
      pay(payer, upgrade),
      untilAnswered('the redemption', () => friend.client.ok(redeemCode, { body: { upgradeCode: earlier } })),
      post(appStoreWebhook.path, JSON.stringify(apple.notification(purchase.transactionId))),
      pay(friend, giftPremium).then((id) => codeOf(friend, id)),
    ]
    // The four requests together take about this long, so the kill hits each of their steps.
    await wait(random() * 350)
    await stack.service('billing').kill('SIGKILL')
    await stack.service('billing').start()
    await Promise.all(actions)
    for (const person of [payer, friend]) year.set(person.user.id, yearMs)
    store.set(subscriber.user.id, renewed)
    buyers.push(payer.user.id)
  }

  await withDatabase(stack, 'billing', async (database) => {
    const grants = await database.collection('grants').find({}).toArray()
    const of = (userId: string) => grants.filter((grant) => grant['userId'] === userId)
    for (const [userId, length] of year) {
      expect(of(userId)).toHaveLength(1)
      const [{ startsAt, endsAt } = {}] = of(userId) as { startsAt?: Date; endsAt?: Date }[]
      expect((endsAt?.getTime() ?? 0) - (startsAt?.getTime() ?? 0)).toBe(length)
    }
    for (const [userId, endMs] of store) {
      expect(of(userId)).toHaveLength(1)
      expect((of(userId)[0]?.['endsAt'] as Date).getTime()).toBe(endMs)
    }
    expect(grants).toHaveLength(year.size + store.size)
    // Every paid checkout is recorded as paid, and a repeated tap has not created a second one.
    const payments = await database
      .collection('payments')
      .find({ userId: { $in: buyers } })
      .toArray()
    expect(payments.map((payment) => payment['status'] as string)).toEqual(Array(points).fill('paid'))
    const gifts = await database.collection('subscription_gifts').find({}).toArray()
    expect(gifts.filter((gift) => gift['status'] === 'redeemed')).toHaveLength(points)
    expect(gifts).toHaveLength(2 * points)
  })
  await waitUntil('every gift is mailed', () =>
    withDatabase(stack, 'billing', async (database) => {
      const left = { status: { $in: ['created', 'paid'] } }
      return (await database.collection('subscription_gifts').countDocuments(left)) === 0
    }),
  )
})
