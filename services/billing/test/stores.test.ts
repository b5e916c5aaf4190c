import { randomUUID } from 'node:crypto'
import {
  generatePromoUrl,
  listPromoRedemptions,
  logPromoRedemption,
} from '@sumlock/contracts/promo-code-routes'
import {
  appStoreWebhook,
  getMobileSubscription,
  googlePlayWebhook,
  validateAndroid,
  validateIos,
} from '@sumlock/contracts/store-routes'
import { startAppStoreServer } from '@sumlock/testing/app-store-server'
import type { AppStoreServer } from '@sumlock/testing/app-store-server'
import { startGooglePlayServer } from '@sumlock/testing/google-play-server'
import type { GooglePlayServer } from '@sumlock/testing/google-play-server'
import { sharedStack } from '@sumlock/testing/shared-stack'
import { forgetPerson } from '../src/use-cases/forget-person.ts'
import { getEntitlement } from '../src/use-cases/get-entitlement.ts'
import { runDue } from '../src/use-cases/run-due.ts'
import { openBilling } from './open-billing.ts'
import type { OpenBilling } from './open-billing.ts'

const day = 86_400_000
let offsetMs = 0
let apple: AppStoreServer
let google: GooglePlayServer
let billing: OpenBilling
beforeAll(async () => {
  apple = await startAppStoreServer()
  google = await startGooglePlayServer()
  const settings = { APP_STORE: apple.setting, GOOGLE_PLAY: google.setting }
  billing = await openBilling(await sharedStack(), settings, () => new Date(Date.now() + offsetMs))
})
afterAll(async () => {
  await billing?.close()
  await Promise.all([apple?.close(), google?.close()])
})
beforeEach(() => {
  offsetMs = 0
  apple.failWith = 'nothing'
  google.failWith = 'nothing'
})

type Ios = ReturnType<AppStoreServer['purchase']>
type Android = ReturnType<GooglePlayServer['purchase']>
const onIos = (userId: string, body: Ios) => billing.call(validateIos, { userId, body })
const onAndroid = (userId: string, body: Android) => billing.call(validateAndroid, { userId, body })
const tellApple = (body: object) => billing.call(appStoreWebhook, { body })
const tellGoogle = ({ body, authorization }: ReturnType<GooglePlayServer['notification']>) =>
  billing.call(googlePlayWebhook, { body, headers: { authorization } })
const planOf = (userId: string) => getEntitlement(billing.ctx, { userId })
const untilMs = async (userId: string) => Date.parse((await planOf(userId)).subscriptionExpiresAt ?? '')
const rowOf = (userId: string) => billing.ctx.mobileSubscriptions.latestOf(userId)

it('CALL-36 PROD-13 STATE-21 ENT-29 ENT-30 ENT-31 ENT-32: a purchase in the App Store is premium until the store says', async () => {
  const userId = randomUUID()
  const expiresDate = Date.now() + 31 * day
  const purchase = apple.purchase({ expiresDate, productId: 'premium_monthly' })
  const answer = await onIos(userId, purchase)
  expect(answer).toMatchObject({ status: 200, body: { subscriptionType: 'premium' } })
  expect(await untilMs(userId)).toBe(expiresDate)
  const row = await rowOf(userId)
  expect(row).toMatchObject({
    userId,
    platform: 'ios',
    productId: 'premium_monthly',
    originalTransactionId: purchase.transactionId,
    expiryDate: new Date(expiresDate),
    isActive: true,
    autoRenewing: true,
    cancellationDate: null,
  })
  expect(row?.latestReceiptInfo).toMatchObject({ transactionId: purchase.transactionId })
  for (const field of ['purchaseDate', 'lastVerifiedAt', 'createdAt', 'updatedAt'] as const)
    expect(row?.[field]).toBeInstanceOf(Date)
})

it('CALL-35 PROD-14 ENT-30: a purchase at Google Play is stored first and acknowledged then', async () => {
  const userId = randomUUID()
  const purchase = google.purchase()
  google.failWith = 'no acknowledgement'
  expect((await onAndroid(userId, purchase)).status).toBe(200)
  expect((await planOf(userId)).subscriptionType).toBe('premium')
  expect(await rowOf(userId)).toMatchObject({ purchaseToken: purchase.purchaseToken, isAcknowledged: false })
  google.failWith = 'nothing'
  await runDue(billing.ctx, billing.ctx.clock.now())
  expect(google.acknowledged.filter((token) => token === purchase.purchaseToken)).toHaveLength(1)
  expect(await rowOf(userId)).toMatchObject({ isAcknowledged: true })
})

it('CALL-37: tells the subscription of the caller', async () => {
  const userId = randomUUID()
  const none = await billing.call(getMobileSubscription, { userId })
  expect(none.body).toEqual({ isActive: false, subscription: null })
  await onAndroid(userId, google.purchase())
  const { body } = await billing.call(getMobileSubscription, { userId })
  expect(body).toMatchObject({ isActive: true, subscription: { platform: 'android', autoRenewing: true } })
})

it('one purchase of two accounts at once is premium for one of them', async () => {
  const people = Array.from({ length: 8 }, () => randomUUID())
  for (const buy of [() => apple.purchase(), () => google.purchase()]) {
    const purchase = buy()
    const answers = await Promise.all(
      people.map((userId) =>
        'purchaseToken' in purchase ? onAndroid(userId, purchase) : onIos(userId, purchase),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body.code).toBe('purchase_taken')
    const owner = people[answers.findIndex(({ status }) => status === 200)] ?? ''
    expect(await billing.ctx.ledger.grantsOfAll(people)).toHaveLength(1)
    await forget(owner)
  }
})
const forget = (userId: string) =>
  billing.ctx.connection.transaction((session) => forgetPerson(billing.ctx, userId, session))

it('a purchase of a deleted account can be restored by a new one', async () => {
  const [before, after] = [randomUUID(), randomUUID()]
  const purchase = apple.purchase()
  await onIos(before, purchase)
  await forget(before)
  expect((await onIos(after, purchase)).status).toBe(200)
  expect((await planOf(after)).subscriptionType).toBe('premium')
  expect((await planOf(before)).subscriptionType).toBe('free')
})

it('restoring a purchase again changes nothing', async () => {
  const userId = randomUUID()
  const purchase = apple.purchase()
  await onIos(userId, purchase)
  const first = await planOf(userId)
  expect((await onIos(userId, purchase)).status).toBe(200)
  expect(await planOf(userId)).toEqual(first)
})

it('follows renewal, grace, refund and revocation at Apple, however often and in whatever order it is told', async () => {
  const userId = randomUUID()
  const purchase = apple.purchase({ expiresDate: Date.now() + 30 * day })
  await onIos(userId, purchase)
  const id = purchase.transactionId
  const renewed = Date.now() + 60 * day
  apple.change(id, { expiresDate: renewed })
  const first = apple.notification(id)
  const answers = await Promise.all(Array.from({ length: 20 }, () => tellApple(first)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await untilMs(userId)).toBe(renewed)

  const graceEnd = Date.now() + 70 * day
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
  const userId = randomUUID()
  const monthly = google.purchase({
    productId: 'premium_monthly',
    expiryTime: new Date(Date.now() + 30 * day).toISOString(),
  })
  await onAndroid(userId, monthly)
  const renewed = new Date(Date.now() + 60 * day).toISOString()
  google.change(monthly.purchaseToken, { expiryTime: renewed })
  const push = google.notification(monthly.purchaseToken)
  await Promise.all(Array.from({ length: 10 }, () => tellGoogle(push)))
  expect(await untilMs(userId)).toBe(Date.parse(renewed))

  const yearly = google.purchase({ linkedPurchaseToken: monthly.purchaseToken })
  await tellGoogle(google.notification(yearly.purchaseToken))
  expect(await rowOf(userId)).toMatchObject({ purchaseToken: yearly.purchaseToken })
  expect(await untilMs(userId)).toBeGreaterThan(Date.parse(renewed))

  const now = new Date().toISOString()
  google.change(yearly.purchaseToken, { subscriptionState: 'SUBSCRIPTION_STATE_EXPIRED', expiryTime: now })
  await tellGoogle(google.notification(yearly.purchaseToken))
  expect((await planOf(userId)).subscriptionType).toBe('free')
})

it('accepts a notification about a purchase that its store no longer knows, so that it is not sent for ever', async () => {
  const answers = [
    await tellGoogle(google.notification('a token of long ago')),
    await tellApple(apple.notification(apple.forget(apple.purchase().transactionId))),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
})

it('finds out by itself within a day what no notification told', async () => {
  const userId = randomUUID()
  const purchase = apple.purchase({ expiresDate: Date.now() + day / 2 })
  await onIos(userId, purchase)
  apple.change(purchase.transactionId, { expiresDate: Date.now() + 400 * day })
  offsetMs = day + 1000
  await runDue(billing.ctx, billing.ctx.clock.now())
  expect((await planOf(userId)).subscriptionType).toBe('premium')
})

it('a gift begins after the paid time of a store, and stays when the store ends early', async () => {
  const userId = randomUUID()
  const purchase = apple.purchase({ expiresDate: Date.now() + 30 * day })
  await onIos(userId, purchase)
  const { grantPremium } = await import('../src/use-cases/grant-premium.ts')
  const ctx = {
    ...billing.ctx,
    findPerson: () => Promise.resolve({ userId, username: 'u', userCode: 'c', version: 1 }),
  }
  await grantPremium(ctx, { userId, lengthMs: 365 * day, source: 'gift' })
  expect(Math.round(((await untilMs(userId)) - Date.now()) / day)).toBe(395)
  apple.change(purchase.transactionId, { status: 5, revocationDate: Date.now() })
  await tellApple(apple.notification(purchase.transactionId))
  expect(Math.round(((await untilMs(userId)) - Date.now()) / day)).toBe(365)
})

describe('grants nothing and says why', () => {
  const refusals: [string, () => Promise<{ status: number; body: { code: string } }>, number, string][] = [
    ['a changed signature', () => onIos(randomUUID(), tampered()), 400, 'purchase_invalid'],
    ['a chain that is not Apple’s', () => onIos(randomUUID(), signedBy('stranger')), 400, 'purchase_invalid'],
    ['an expired chain', () => onIos(randomUUID(), signedBy('expired')), 400, 'purchase_invalid'],
    [
      'another app at Apple',
      () => onIos(randomUUID(), ofBundle('com.example.other')),
      400,
      'purchase_invalid',
    ],
    [
      'another product',
      () => onIos(randomUUID(), { ...apple.purchase(), productId: 'premium_monthly' }),
      400,
      'purchase_invalid',
    ],
    [
      'an unknown product',
      () => onIos(randomUUID(), apple.purchase({ productId: 'gold' })),
      400,
      'purchase_invalid',
    ],
    [
      'no receipt at all',
      () => onIos(randomUUID(), { ...apple.purchase(), receiptData: 'AAAA' }),
      400,
      'purchase_invalid',
    ],
    [
      'an unknown token',
      () => onAndroid(randomUUID(), { ...google.purchase(), purchaseToken: 'x' }),
      400,
      'purchase_invalid',
    ],
    [
      'another app at Google',
      () => onAndroid(randomUUID(), { ...google.purchase(), packageName: 'com.other' }),
      400,
      'purchase_invalid',
    ],
    [
      'an unknown product at Google',
      () => onAndroid(randomUUID(), google.purchase({ productId: 'gold' })),
      400,
      'purchase_invalid',
    ],
    [
      'the purchase of another person',
      () => onIos(randomUUID(), apple.purchase({ appAccountToken: randomUUID() })),
      409,
      'purchase_taken',
    ],
  ]
  const tampered = (): Ios => {
    const purchase = apple.purchase()
    const [header = '', , signature = ''] = purchase.receiptData.split('.')
    const payload = { ...apple.transactionOf(purchase.transactionId), expiresDate: Date.now() + 9999 * day }
    return {
      ...purchase,
      receiptData: [header, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.'),
    }
  }
  const signedBy = (by: 'stranger' | 'expired'): Ios => {
    const purchase = apple.purchase()
    return { ...purchase, receiptData: apple.sign(apple.transactionOf(purchase.transactionId), by) }
  }
  const ofBundle = (bundleId: string): Ios => {
    const purchase = apple.purchase()
    return {
      ...purchase,
      receiptData: apple.sign({ ...apple.transactionOf(purchase.transactionId), bundleId }),
    }
  }
  it.each(refusals)('to %s', async (_name, attempt, status, code) => {
    const before = await billing.ctx.connection.collection('grants').countDocuments()
    const answer = await attempt()
    expect(answer).toMatchObject({ status, body: { code } })
    expect(await billing.ctx.connection.collection('grants').countDocuments()).toBe(before)
  })

  it.each(['error', 'silence'] as const)(
    'when a store answers with %s, and the purchase can be sent again',
    async (failure) => {
      const userId = randomUUID()
      const [ios, android] = [apple.purchase(), google.purchase()]
      apple.failWith = failure
      google.failWith = failure
      for (const answer of await Promise.all([onIos(userId, ios), onAndroid(userId, android)]))
        expect(answer).toMatchObject({ status: 503, body: { code: 'store_unavailable' } })
      apple.failWith = 'nothing'
      expect((await onIos(userId, ios)).status).toBe(200)
    },
  )

  it('to notifications that are forged', async () => {
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
})

describe('promo codes', () => {
  const log = (userId: string, promoCode = 'summer-24', platform = 'ios') =>
    billing.call(logPromoRedemption, { userId, body: { platform, promoCode } })
  const history = async (userId: string) =>
    (
      (await billing.call(listPromoRedemptions, { userId })).body as unknown as {
        redemptions: { status: string; promoCode: string }[]
      }
    ).redemptions

  it('CALL-38 CALL-39 ENT-33 ENT-34 ENT-36 STATE-24: begins as pending, in the history, newest first', async () => {
    const userId = randomUUID()
    expect(await log(userId)).toMatchObject({
      status: 201,
      body: { status: 'pending', promoCode: 'SUMMER-24' },
    })
    await log(userId, 'WINTER-25', 'android')
    expect((await history(userId)).map(({ promoCode, status }) => `${promoCode} ${status}`)).toEqual([
      'WINTER-25 pending',
      'SUMMER-24 pending',
    ])
    const [stored] = await billing.ctx.promoRedemptions.newestOf(userId, 1)
    expect(stored).toMatchObject({ userId, platform: 'android', promoCode: 'WINTER-25', status: 'pending' })
  })

  it('PROD-18 ENT-35 STATE-24: succeeds only by a verified event of the store, which it then points to', async () => {
    const userId = randomUUID()
    await log(userId)
    await onIos(userId, apple.purchase())
    expect((await history(userId))[0]?.status).toBe('pending')
    await onIos(userId, apple.purchase({ offerType: 3 }))
    expect((await history(userId))[0]?.status).toBe('success')
    const [stored] = await billing.ctx.promoRedemptions.newestOf(userId, 1)
    expect(stored?.subscriptionId).toEqual(expect.any(String))
  })

  it('ENT-35 STATE-24: fails after 24 hours, with a reason', async () => {
    const userId = randomUUID()
    await log(userId)
    offsetMs = day - 60_000
    await runDue(billing.ctx, billing.ctx.clock.now())
    expect((await history(userId))[0]?.status).toBe('pending')
    offsetMs = day + 1000
    await runDue(billing.ctx, billing.ctx.clock.now())
    expect((await history(userId))[0]).toMatchObject({
      status: 'failed',
      errorMessage: expect.stringContaining('24 hours'),
    })
  })

  it('CALL-40: makes the page of either store; that of iOS needs the app', async () => {
    const userId = randomUUID()
    const url = async (body: object) =>
      (await billing.call(generatePromoUrl, { userId, body })).body as unknown as {
        url?: string
        code?: string
      }
    expect((await url({ platform: 'android', promoCode: 'SUMMER-24' })).url).toBe(
      'https://play.google.com/redeem?code=SUMMER-24',
    )
    const ios = new URL((await url({ platform: 'ios', promoCode: 'SUMMER-24', appId: '123' })).url ?? '')
    expect(Object.fromEntries(ios.searchParams)).toMatchObject({ id: '123', code: 'SUMMER-24' })
    expect((await url({ platform: 'ios', promoCode: 'SUMMER-24' })).code).toBe('invalid_request')
  })
})
