import { randomUUID } from 'node:crypto'
import { registerPerson } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import { day, openStores } from './open-stores.ts'
import type { OpenStores } from './open-stores.ts'

let stores: OpenStores
beforeAll(async () => {
  stores = await openStores()
})
afterAll(() => stores?.close())
beforeEach(() => stores.reset())

const inDays = (days: number) => Date.now() + days * day
const isoIn = (days: number) => new Date(inDays(days)).toISOString()

it('ENT-30: follows renewal, grace, refund and revocation at Apple, however often and in whatever order it is told', async () => {
  const { apple, onIos, tellApple, untilMs, planOf, rowOf } = stores
  const userId = randomUUID()
  const purchase = apple.purchase({ expiresDate: inDays(30) })
  await onIos(userId, purchase)
  const id = purchase.transactionId
  const renewed = inDays(60)
  apple.change(id, { expiresDate: renewed })
  const first = apple.notification(id)
  const answers = await Promise.all(Array.from({ length: 20 }, () => tellApple(first)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await untilMs(userId)).toBe(renewed)

  const graceEnd = inDays(70)
  apple.change(id, { status: 4, gracePeriodExpiresDate: graceEnd })
  const late = apple.notification(id)
  await tellApple(late)
  expect(await untilMs(userId)).toBe(graceEnd)

  apple.change(id, { status: 5, revocationDate: Date.now() })
  await tellApple(apple.notification(id))
  expect((await planOf(userId)).subscriptionType).toBe('free')
  await tellApple(late)
  expect((await planOf(userId)).subscriptionType).toBe('free')
  expect(await rowOf(userId)).toMatchObject({ isActive: false, cancellationDate: expect.any(Date) })
})

it('follows renewal and refund at Google, and the token that replaces another', async () => {
  const { google, onAndroid, tellGoogle, untilMs, planOf, rowOf } = stores
  const userId = randomUUID()
  const monthly = google.purchase({ productId: 'premium_monthly', expiryTime: isoIn(30) })
  await onAndroid(userId, monthly)
  const renewed = isoIn(60)
  google.change(monthly.purchaseToken, { expiryTime: renewed })
  const push = google.notification(monthly.purchaseToken)
  await Promise.all(Array.from({ length: 10 }, () => tellGoogle(push)))
  expect(await untilMs(userId)).toBe(Date.parse(renewed))

  const yearly = google.purchase({ linkedPurchaseToken: monthly.purchaseToken })
  await tellGoogle(google.notification(yearly.purchaseToken))
  expect(await rowOf(userId)).toMatchObject({ purchaseToken: yearly.purchaseToken })
  expect(await untilMs(userId)).toBeGreaterThan(Date.parse(renewed))

  google.change(yearly.purchaseToken, {
    subscriptionState: 'SUBSCRIPTION_STATE_EXPIRED',
    expiryTime: isoIn(0),
  })
  await tellGoogle(google.notification(yearly.purchaseToken))
  expect((await planOf(userId)).subscriptionType).toBe('free')
})

it('a subscription at Google is premium in its grace period, and neither on hold nor before it is paid', async () => {
  const { google, onAndroid, tellGoogle, untilMs, planOf, rowOf } = stores
  const userId = randomUUID()
  const purchase = google.purchase({ subscriptionState: 'SUBSCRIPTION_STATE_PENDING', expiryTime: isoIn(30) })
  const become = async (state: string, expiryTime: string) => {
    google.change(purchase.purchaseToken, { subscriptionState: `SUBSCRIPTION_STATE_${state}`, expiryTime })
    expect((await tellGoogle(google.notification(purchase.purchaseToken))).status).toBe(200)
    return (await planOf(userId)).subscriptionType
  }
  await onAndroid(userId, purchase)
  expect((await planOf(userId)).subscriptionType).toBe('free')
  expect(await become('ACTIVE', isoIn(30))).toBe('premium')

  const graceEnd = isoIn(37)
  expect(await become('IN_GRACE_PERIOD', graceEnd)).toBe('premium')
  expect(await untilMs(userId)).toBe(Date.parse(graceEnd))
  expect(await rowOf(userId)).toMatchObject({ isActive: true })

  expect(await become('ON_HOLD', isoIn(0))).toBe('free')
  expect(await rowOf(userId)).toMatchObject({ isActive: false })
  expect(await become('ACTIVE', isoIn(60))).toBe('premium')
})

it('a purchase that Google has taken back ends', async () => {
  const { google, onAndroid, tellGoogle, planOf } = stores
  const userId = randomUUID()
  const { purchaseToken, ...purchase } = google.purchase()
  await onAndroid(userId, { purchaseToken, ...purchase })
  google.change(purchaseToken, { subscriptionState: 'SUBSCRIPTION_STATE_EXPIRED', expiryTime: isoIn(0) })
  expect((await tellGoogle(google.notification(purchaseToken, { kind: 'voided' }))).status).toBe(200)
  expect((await planOf(userId)).subscriptionType).toBe('free')
})

it('accepts a notification about a purchase that its store no longer knows, so that it is not sent for ever', async () => {
  const { apple, google, tellApple, tellGoogle } = stores
  const answers = [
    await tellGoogle(google.notification('a token of long ago')),
    await tellApple(apple.notification(apple.forget(apple.purchase().transactionId))),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
})

it('asks a store once about a notification that is repeated', async () => {
  const { apple, google, onIos, onAndroid, tellApple, tellGoogle } = stores
  const [ios, android] = [apple.purchase(), google.purchase()]
  await onIos(randomUUID(), ios)
  await onAndroid(randomUUID(), android)
  const before = { apple: apple.reads.length, google: google.reads.length }
  const ofApple = apple.notification(ios.transactionId)
  const ofGoogle = google.notification(android.purchaseToken)
  for (let time = 0; time < 3; time += 1) {
    expect((await tellApple(ofApple)).status).toBe(200)
    expect((await tellGoogle(ofGoogle)).status).toBe(200)
  }
  expect(apple.reads.slice(before.apple)).toEqual([ios.transactionId])
  expect(google.reads.slice(before.google)).toEqual([android.purchaseToken])
  await tellApple(apple.notification(ios.transactionId))
  await tellGoogle(google.notification(android.purchaseToken))
  expect(apple.reads).toHaveLength(before.apple + 2)
  expect(google.reads).toHaveLength(before.google + 2)
})

it('refuses a notification while its store is down, and follows it when it is sent again', async () => {
  const { apple, google, onIos, onAndroid, tellApple, tellGoogle, untilMs } = stores
  const [onApple, onGoogle] = [randomUUID(), randomUUID()]
  const ios = apple.purchase({ expiresDate: inDays(30) })
  const android = google.purchase({ expiryTime: isoIn(30) })
  await onIos(onApple, ios)
  await onAndroid(onGoogle, android)
  const renewed = inDays(60)
  apple.change(ios.transactionId, { expiresDate: renewed })
  google.change(android.purchaseToken, { expiryTime: new Date(renewed).toISOString() })
  const [toApple, toGoogle] = [
    apple.notification(ios.transactionId),
    google.notification(android.purchaseToken),
  ]
  apple.failWith = 'error'
  google.failWith = 'error'
  for (const answer of [await tellApple(toApple), await tellGoogle(toGoogle)])
    expect(answer).toMatchObject({ status: 503, body: { code: 'store_unavailable' } })
  stores.reset()
  expect([(await tellApple(toApple)).status, (await tellGoogle(toGoogle)).status]).toEqual([200, 200])
  expect([await untilMs(onApple), await untilMs(onGoogle)]).toEqual([renewed, renewed])
})

it('a notification that comes before the app has shown the purchase grants nothing and loses nothing', async () => {
  const { apple, google, onIos, onAndroid, tellApple, tellGoogle, grantsOf, planOf } = stores
  const [onApple, onGoogle] = [randomUUID(), randomUUID()]
  const [ios, android] = [
    apple.purchase({ appAccountToken: onApple }),
    google.purchase({ obfuscatedExternalAccountId: onGoogle }),
  ]
  const [toApple, toGoogle] = [
    apple.notification(ios.transactionId),
    google.notification(android.purchaseToken),
  ]
  expect([(await tellApple(toApple)).status, (await tellGoogle(toGoogle)).status]).toEqual([200, 200])
  for (const userId of [onApple, onGoogle]) expect(await grantsOf(userId)).toEqual([])

  expect((await onIos(onApple, ios)).status).toBe(200)
  expect((await onAndroid(onGoogle, android)).status).toBe(200)
  expect([(await tellApple(toApple)).status, (await tellGoogle(toGoogle)).status]).toEqual([200, 200])
  for (const userId of [onApple, onGoogle]) {
    expect(await grantsOf(userId)).toHaveLength(1)
    expect((await planOf(userId)).subscriptionType).toBe('premium')
  }
})

it('a notification that names an account of ours claims the purchase that no app has shown', async () => {
  const { apple, google, tellApple, tellGoogle, planOf, onIos, runDue } = stores
  const [ann, ben] = await Promise.all([
    registerPerson(await sharedStack()),
    registerPerson(await sharedStack()),
  ])
  const ios = apple.purchase({ appAccountToken: ann.user.id.toUpperCase() })
  const android = google.purchase({ obfuscatedExternalAccountId: ben.user.id })
  await tellApple(apple.notification(ios.transactionId))
  await tellGoogle(google.notification(android.purchaseToken))
  for (const { user } of [ann, ben]) expect((await planOf(user.id)).subscriptionType).toBe('premium')
  expect(google.acknowledged).toContain(android.purchaseToken)
  expect(await onIos(ben.user.id, ios)).toMatchObject({ status: 409 })
  await runDue()
  expect((await planOf(ben.user.id)).subscriptionType).toBe('premium')
})

it('a notification does not take a purchase from the account that has claimed it', async () => {
  const { apple, tellApple, planOf, onIos } = stores
  const named = await registerPerson(await sharedStack())
  const owner = randomUUID()
  const ios = apple.purchase()
  await onIos(owner, ios)
  apple.change(ios.transactionId, { appAccountToken: named.user.id })
  await tellApple(apple.notification(ios.transactionId))
  expect((await planOf(owner)).subscriptionType).toBe('premium')
  expect((await planOf(named.user.id)).subscriptionType).toBe('free')
})

it('refuses notifications that are forged', async () => {
  const { apple, google, tellApple, tellGoogle } = stores
  const { transactionId } = apple.purchase()
  const { purchaseToken } = google.purchase()
  const forged = await Promise.all([
    tellApple({ signedPayload: apple.sign({ notificationUUID: randomUUID() }, 'stranger') }),
    tellApple({ signedPayload: 'x' }),
    tellApple(apple.notification(transactionId, { bundleId: 'com.other' })),
    tellGoogle(google.notification(purchaseToken, { key: 'stranger' })),
    tellGoogle(google.notification(purchaseToken, { audience: 'https://other.example' })),
    tellGoogle(google.notification(purchaseToken, { email: 'someone@example.com' })),
    tellGoogle({ ...google.notification(purchaseToken), authorization: '' }),
  ])
  expect(forged.map(({ status }) => status)).toEqual(Array(7).fill(400))
})
