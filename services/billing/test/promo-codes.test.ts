import { randomUUID } from 'node:crypto'
import {
  generatePromoUrl,
  listPromoRedemptions,
  logPromoRedemption,
} from '@sumlock/contracts/promo-code-routes'
import type { AppStoreServer } from '@sumlock/testing/app-store-server'
import { day, openStores } from './open-stores.ts'
import type { OpenStores } from './open-stores.ts'

let stores: OpenStores
beforeAll(async () => {
  stores = await openStores()
})
afterAll(() => stores?.close())
beforeEach(() => stores.reset())

describe('promo codes', () => {
  const log = (userId: string, promoCode = 'summer-24', platform = 'ios') =>
    stores.billing.call(logPromoRedemption, { userId, body: { platform, promoCode } })
  const history = async (userId: string) =>
    (
      (await stores.billing.call(listPromoRedemptions, { userId })).body as unknown as {
        redemptions: { status: string; promoCode: string }[]
      }
    ).redemptions

  it('CALL-38 CALL-39 ENT-34 ENT-36 STATE-24: begins as pending, in the history, newest first', async () => {
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
    const [stored] = await stores.billing.ctx.promoRedemptions.newestOf(userId, 1)
    expect(stored).toMatchObject({ userId, platform: 'android', promoCode: 'WINTER-25', status: 'pending' })
  })

  it('PROD-18 STATE-21 ENT-35 STATE-24: succeeds only by a verified event of the store, which it then points to', async () => {
    const [buyer, userId] = [randomUUID(), randomUUID()]
    await log(buyer)
    await stores.onIos(buyer, stores.apple.purchase())
    expect((await history(buyer))[0]?.status).toBe('pending')
    await log(userId)
    expect((await stores.planOf(userId)).subscriptionType).toBe('free')
    await stores.onIos(userId, stores.apple.purchase({ offerType: 3 }))
    expect((await history(userId))[0]?.status).toBe('success')
    expect((await stores.planOf(userId)).subscriptionType).toBe('premium')
    const [stored] = await stores.billing.ctx.promoRedemptions.newestOf(userId, 1)
    expect(stored?.subscriptionId).toEqual(expect.any(String))
  })

  it('ENT-33: needs user, platform, code and status', async () => {
    const userId = randomUUID()
    await log(userId)
    for (const body of [
      { platform: 'ios' },
      { promoCode: 'SUMMER-24' },
      { platform: 'web', promoCode: 'ABCD' },
    ]) {
      const answer = await stores.billing.call(logPromoRedemption, { userId, body })
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    }
    const { promoRedemptions } = stores.billing.ctx
    const [stored] = await promoRedemptions.newestOf(userId, 2)
    for (const field of ['userId', 'platform', 'promoCode', 'status'])
      await expect(
        promoRedemptions.insert({ ...stored, _id: randomUUID(), [field]: null } as never),
      ).rejects.toMatchObject({ errors: { [field]: { kind: 'required' } } })
    expect(await history(userId)).toHaveLength(1)
  })

  it('an offer that is renewed does not confirm a later code, and another offer does', async () => {
    const userId = randomUUID()
    await log(userId, 'SUMMER-24')
    const purchase = stores.apple.purchase({ offerType: 3, offerIdentifier: 'summer' })
    await stores.onIos(userId, purchase)
    await log(userId, 'WINTER-25')
    const tell = async (change: Parameters<AppStoreServer['change']>[1]) => {
      stores.apple.change(purchase.transactionId, change)
      expect((await stores.tellApple(stores.apple.notification(purchase.transactionId))).status).toBe(200)
      return (await history(userId)).map(({ promoCode, status }) => `${promoCode} ${status}`)
    }
    const [pending, success] = ['WINTER-25 pending', 'WINTER-25 success']
    expect(await tell({ autoRenews: false })).toEqual([pending, 'SUMMER-24 success'])
    expect(await tell({ transactionId: `${purchase.transactionId}1` })).toEqual([
      pending,
      'SUMMER-24 success',
    ])
    const winter = { transactionId: `${purchase.transactionId}2`, offerIdentifier: 'winter' }
    expect(await tell(winter)).toEqual([success, 'SUMMER-24 success'])
  })

  it('a promotion at Google Play confirms the code that was taken there, and none later', async () => {
    const userId = randomUUID()
    await log(userId, 'SUMMER-24', 'android')
    const purchase = stores.google.purchase({
      signupPromotion: { vanityCode: { promotionCode: 'SUMMER-24' } },
    })
    await stores.onAndroid(userId, purchase)
    expect((await history(userId))[0]).toMatchObject({ promoCode: 'SUMMER-24', status: 'success' })
    await log(userId, 'WINTER-25', 'android')
    stores.google.change(purchase.purchaseToken, {
      expiryTime: new Date(Date.now() + 800 * day).toISOString(),
    })
    expect((await stores.tellGoogle(stores.google.notification(purchase.purchaseToken))).status).toBe(200)
    expect((await history(userId))[0]).toMatchObject({ promoCode: 'WINTER-25', status: 'pending' })
  })

  it('ENT-35 STATE-24: fails after 24 hours, with a reason', async () => {
    const userId = randomUUID()
    await log(userId)
    stores.clock.offsetMs = day - 60_000
    await stores.runDue()
    expect((await history(userId))[0]?.status).toBe('pending')
    stores.clock.offsetMs = day + 1000
    await stores.runDue()
    expect((await history(userId))[0]).toMatchObject({
      status: 'failed',
      errorMessage: expect.stringContaining('24 hours'),
    })
  })

  it('CALL-40: makes the page of either store; that of iOS needs the app', async () => {
    const userId = randomUUID()
    const url = async (body: object) =>
      (await stores.billing.call(generatePromoUrl, { userId, body })).body as unknown as {
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
