import { randomUUID } from 'node:crypto'
import { limits } from '@sumlock/contracts/limits'
import { getMobileSubscription, validateIos } from '@sumlock/contracts/store-routes'
import { transact } from '@sumlock/service-kit/transact'
import { appReceipt, attribute } from '@sumlock/testing/app-receipt'
import { registerPerson } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { MobileSubscription } from '../src/domain/mobile-subscription.ts'
import { day, openStores } from './open-stores.ts'
import type { AndroidPurchase, IosPurchase, OpenStores } from './open-stores.ts'

let stores: OpenStores
beforeAll(async () => {
  stores = await openStores()
})
afterAll(() => stores?.close())
beforeEach(() => stores.reset())

it('CALL-36 PROD-13 STATE-21 ENT-30 ENT-31 ENT-32 LIM-18: a purchase in the App Store is premium until the store says', async () => {
  const { apple, onIos, untilMs, rowOf } = stores
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

it('CALL-35 PROD-14 STATE-21 ENT-30: a purchase at Google Play is stored first and acknowledged then', async () => {
  const { google, onAndroid, planOf, rowOf, runDue } = stores
  const userId = randomUUID()
  const purchase = google.purchase()
  google.failWith = 'no acknowledgement'
  expect((await onAndroid(userId, purchase)).status).toBe(200)
  expect((await planOf(userId)).subscriptionType).toBe('premium')
  expect(await rowOf(userId)).toMatchObject({ purchaseToken: purchase.purchaseToken, isAcknowledged: false })
  google.failWith = 'nothing'
  await runDue()
  expect(google.acknowledged.filter((token) => token === purchase.purchaseToken)).toHaveLength(1)
  expect(await rowOf(userId)).toMatchObject({ isAcknowledged: true })
})

it('CALL-37: tells the subscription of the caller', async () => {
  const { google, onAndroid, billing } = stores
  const userId = randomUUID()
  const none = await billing.call(getMobileSubscription, { userId })
  expect(none.body).toEqual({ isActive: false, subscription: null })
  await onAndroid(userId, google.purchase())
  const { body } = await billing.call(getMobileSubscription, { userId })
  expect(body).toMatchObject({ isActive: true, subscription: { platform: 'android', autoRenewing: true } })
})

describe('an app receipt', () => {
  it('is premium for the account that its transaction names, whichever of its transactions is shown', async () => {
    const { apple, onIos, planOf } = stores
    const userId = randomUUID()
    const purchase = apple.purchase({ appAccountToken: userId })
    const receiptData = appReceipt(['1000000000000001', purchase.transactionId])
    expect((await onIos(userId, { ...purchase, receiptData })).status).toBe(200)
    expect((await planOf(userId)).subscriptionType).toBe('premium')
  })

  it('grants nothing to another account, without an account, and for a transaction that it lacks', async () => {
    const { apple, onIos, grantsOf } = stores
    const userId = randomUUID()
    const of = (purchase: IosPurchase, ids = [purchase.transactionId]) =>
      onIos(userId, { ...purchase, receiptData: appReceipt(ids) })
    for (const answer of [
      await of(apple.purchase({ appAccountToken: randomUUID() })),
      await of(apple.purchase()),
      await of(apple.purchase({ appAccountToken: userId }), []),
    ])
      expect(answer).toMatchObject({ status: 400, body: { code: 'purchase_invalid' } })
    expect(await grantsOf(userId)).toEqual([])
  })

  it('may have 256 kB and no more, also at the gateway', async () => {
    const { apple, onIos } = stores
    const userId = randomUUID()
    const purchase = apple.purchase({ appAccountToken: userId })
    const filledWith = (bytes: number) =>
      appReceipt([purchase.transactionId], [attribute(2, Buffer.alloc(bytes))])
    const unfilledBytes = Buffer.from(filledWith(1000), 'base64').length - 1000
    const receiptData = filledWith((limits.receiptMaxLength * 3) / 4 - unfilledBytes)
    expect(receiptData.length).toBe(limits.receiptMaxLength)
    const { client } = await registerPerson(await sharedStack())
    expect((await client.call(validateIos, { body: { ...purchase, receiptData } })).status).toBe(503)
    expect((await onIos(userId, { ...purchase, receiptData })).status).toBe(200)
    const longer = `${receiptData}AAAA`
    const answer = await onIos(userId, { ...purchase, receiptData: longer })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })
})

it('one purchase of two accounts at once is premium for one of them', async () => {
  const { apple, google, onIos, onAndroid, billing, forget } = stores
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

it('a purchase of a deleted account can be restored by a new one', async () => {
  const { apple, onIos, forget, planOf } = stores
  const [before, after] = [randomUUID(), randomUUID()]
  const purchase = apple.purchase()
  await onIos(before, purchase)
  await forget(before)
  expect((await onIos(after, purchase)).status).toBe(200)
  expect((await planOf(after)).subscriptionType).toBe('premium')
  expect((await planOf(before)).subscriptionType).toBe('free')
})

it('restoring a purchase again changes nothing', async () => {
  const { apple, onIos, planOf } = stores
  const userId = randomUUID()
  const purchase = apple.purchase()
  await onIos(userId, purchase)
  const first = await planOf(userId)
  expect((await onIos(userId, purchase)).status).toBe(200)
  expect(await planOf(userId)).toEqual(first)
})

it('reads within a day a change that no notification reported', async () => {
  const { apple, onIos, planOf, clock, runDue } = stores
  const userId = randomUUID()
  const purchase = apple.purchase({ expiresDate: Date.now() + day / 2 })
  await onIos(userId, purchase)
  apple.change(purchase.transactionId, { expiresDate: Date.now() + 400 * day })
  clock.offsetMs = day + 1000
  await runDue()
  expect((await planOf(userId)).subscriptionType).toBe('premium')
})

it('a gift begins after the paid time of a store, and stays when the store ends early', async () => {
  const { apple, onIos, tellApple, untilMs, give } = stores
  const userId = randomUUID()
  const purchase = apple.purchase({ expiresDate: Date.now() + 30 * day })
  await onIos(userId, purchase)
  await give(userId)
  expect(Math.round(((await untilMs(userId)) - Date.now()) / day)).toBe(395)
  apple.change(purchase.transactionId, { status: 5, revocationDate: Date.now() })
  await tellApple(apple.notification(purchase.transactionId))
  expect(Math.round(((await untilMs(userId)) - Date.now()) / day)).toBe(365)
})

it('a gift follows the whole paid time of a subscription that its owner has cancelled before', async () => {
  const { google, onAndroid, tellGoogle, untilMs, give, clock } = stores
  const userId = randomUUID()
  const purchase = google.purchase({ expiryTime: new Date(Date.now() + 30 * day).toISOString() })
  await onAndroid(userId, purchase)
  await give(userId)
  const daysLeft = async () => Math.round(((await untilMs(userId)) - Date.now()) / day)
  expect(await daysLeft()).toBe(395)
  const cancelTime = new Date().toISOString()
  for (const [state, days] of [
    ['CANCELED', 1],
    ['EXPIRED', 31],
  ] as const) {
    clock.offsetMs = days * day
    google.change(purchase.purchaseToken, {
      subscriptionState: `SUBSCRIPTION_STATE_${state}`,
      canceledStateContext: { userInitiatedCancellation: { cancelTime } },
    })
    expect((await tellGoogle(google.notification(purchase.purchaseToken))).status).toBe(200)
    expect(await daysLeft()).toBe(395)
  }
})

it('ENT-29: a mobile subscription needs user, platform, product, purchase date and expiry date', async () => {
  const { apple, onIos, rowOf, billing } = stores
  const userId = randomUUID()
  await onIos(userId, apple.purchase())
  const row = { ...(await rowOf(userId)), _id: randomUUID(), storeKey: randomUUID() } as MobileSubscription
  const { connection, mobileSubscriptions } = billing.ctx
  const insert = (one: object) =>
    transact(connection, (session) => mobileSubscriptions.insert(one as MobileSubscription, session))
  for (const field of ['userId', 'platform', 'productId', 'purchaseDate', 'expiryDate'] as const) {
    const { [field]: _left, ...incomplete } = row
    await expect(insert(incomplete)).rejects.toMatchObject({ errors: { [field]: { kind: 'required' } } })
  }
  await expect(insert({ ...row, platform: 'web' })).rejects.toMatchObject({ errors: { platform: {} } })
  await insert(row)
  expect(await mobileSubscriptions.byStoreKey(row.storeKey)).toMatchObject({ userId, platform: 'ios' })
})

describe('grants nothing and says why', () => {
  interface Refusal {
    what: string
    attempt: (userId: string) => Promise<{ status: number; body: { code: string } }>
    status?: number
    code?: string
  }
  const ios = (userId: string, purchase: IosPurchase) => stores.onIos(userId, purchase)
  const android = (userId: string, change: Partial<AndroidPurchase>) =>
    stores.onAndroid(userId, { ...stores.google.purchase(), ...change })
  const refusals: Refusal[] = [
    { what: 'a changed signature', attempt: (userId) => ios(userId, tampered()) },
    { what: 'a chain that is not Apple’s', attempt: (userId) => ios(userId, signedBy('stranger')) },
    { what: 'an expired chain', attempt: (userId) => ios(userId, signedBy('expired')) },
    { what: 'another app at Apple', attempt: (userId) => ios(userId, ofBundle('com.example.other')) },
    {
      what: 'another product',
      attempt: (userId) => ios(userId, { ...stores.apple.purchase(), productId: 'premium_monthly' }),
    },
    {
      what: 'an unknown product',
      attempt: (userId) => ios(userId, stores.apple.purchase({ productId: 'gold' })),
    },
    {
      what: 'no receipt at all',
      attempt: (userId) => ios(userId, { ...stores.apple.purchase(), receiptData: 'AAAA' }),
    },
    { what: 'an unknown token', attempt: (userId) => android(userId, { purchaseToken: 'x' }) },
    { what: 'another app at Google', attempt: (userId) => android(userId, { packageName: 'com.other' }) },
    {
      what: 'an unknown product at Google',
      attempt: (userId) => android(userId, stores.google.purchase({ productId: 'gold' })),
    },
    {
      what: 'the purchase of another person',
      attempt: (userId) => ios(userId, stores.apple.purchase({ appAccountToken: randomUUID() })),
      status: 409,
      code: 'purchase_taken',
    },
  ]
  const tampered = (): IosPurchase => {
    const { apple } = stores
    const purchase = apple.purchase()
    const [header = '', , signature = ''] = purchase.receiptData.split('.')
    const payload = { ...apple.transactionOf(purchase.transactionId), expiresDate: Date.now() + 9999 * day }
    return {
      ...purchase,
      receiptData: [header, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.'),
    }
  }
  const signedBy = (by: 'stranger' | 'expired'): IosPurchase => {
    const { apple } = stores
    const purchase = apple.purchase()
    return { ...purchase, receiptData: apple.sign(apple.transactionOf(purchase.transactionId), by) }
  }
  const ofBundle = (bundleId: string): IosPurchase => {
    const { apple } = stores
    const purchase = apple.purchase()
    return {
      ...purchase,
      receiptData: apple.sign({ ...apple.transactionOf(purchase.transactionId), bundleId }),
    }
  }
  it.each(refusals)('to $what', async ({ attempt, status = 400, code = 'purchase_invalid' }) => {
    const userId = randomUUID()
    expect(await attempt(userId)).toMatchObject({ status, body: { code } })
    expect(await stores.grantsOf(userId)).toEqual([])
  })

  it.each(['error', 'silence'] as const)(
    'when a store answers with %s, and the purchase can be sent again',
    async (failure) => {
      const { apple, google, onIos, onAndroid, grantsOf } = stores
      const [onApple, onGoogle] = [randomUUID(), randomUUID()]
      const [ofApple, ofGoogle] = [apple.purchase(), google.purchase()]
      apple.failWith = failure
      google.failWith = failure
      for (const answer of await Promise.all([onIos(onApple, ofApple), onAndroid(onGoogle, ofGoogle)]))
        expect(answer).toMatchObject({ status: 503, body: { code: 'store_unavailable' } })
      for (const userId of [onApple, onGoogle]) expect(await grantsOf(userId)).toEqual([])
      stores.reset()
      expect((await onIos(onApple, ofApple)).status).toBe(200)
      expect((await onAndroid(onGoogle, ofGoogle)).status).toBe(200)
    },
  )
})
