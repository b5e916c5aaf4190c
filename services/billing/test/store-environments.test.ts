import { randomUUID } from 'node:crypto'
import { appStoreWebhook, validateAndroid, validateIos } from '@sumlock/contracts/store-routes'
import { startAppStoreServer } from '@sumlock/testing/app-store-server'
import { startGooglePlayServer } from '@sumlock/testing/google-play-server'
import { sharedStack } from '@sumlock/testing/shared-stack'
import { getEntitlement } from '../src/use-cases/get-entitlement.ts'
import { openBilling } from './open-billing.ts'

const hour = 3_600_000

async function open() {
  const [apple, google] = await Promise.all([startAppStoreServer('Production'), startGooglePlayServer()])
  const settings = { APP_STORE: apple.setting, GOOGLE_PLAY: google.setting }
  return { apple, google, billing: await openBilling(await sharedStack(), settings) }
}
let stores: Awaited<ReturnType<typeof open>>
beforeAll(async () => {
  stores = await open()
})
afterAll(() => Promise.all([stores.billing.close(), stores.apple.close(), stores.google.close()]))

const planOf = (userId: string) => getEntitlement(stores.billing.ctx, { userId })
const marksOf = async (userId: string) => {
  const { ctx } = stores.billing
  const [grant] = await ctx.ledger.grantsOf(userId)
  return {
    subscription: (await ctx.mobileSubscriptions.latestOf(userId))?.isSandbox ?? false,
    grant: grant?.isSandbox ?? false,
  }
}

it.each([
  ['Sandbox', true],
  ['Production', false],
] as const)(
  'a purchase in %s at the production server is premium until the store says, marked as sandbox: %s',
  async (environment, isMarked) => {
    const { apple, billing } = stores
    const userId = randomUUID()
    const end = Date.now() + hour
    const body = apple.purchase({ environment, expiresDate: end })
    expect((await billing.call(validateIos, { userId, body })).status).toBe(200)
    expect(Date.parse((await planOf(userId)).subscriptionExpiresAt ?? '')).toBe(end)
    expect(await marksOf(userId)).toEqual({ subscription: isMarked, grant: isMarked })

    apple.change(body.transactionId, { expiresDate: end + hour })
    const told = await billing.call(appStoreWebhook, { body: apple.notification(body.transactionId) })
    expect(told.status).toBe(200)
    expect(Date.parse((await planOf(userId)).subscriptionExpiresAt ?? '')).toBe(end + hour)
  },
)

it('a sandbox purchase counts only as Apple has signed it, and as its sandbox knows it', async () => {
  const { apple, billing } = stores
  const userId = randomUUID()
  const { transactionId, productId } = apple.purchase({ environment: 'Sandbox' })
  const forged = { ...apple.transactionOf(transactionId), environment: 'Production' }
  const tries = [
    apple.sign(apple.transactionOf(transactionId), 'stranger'),
    apple.sign({ ...forged, environment: 'Xcode' }),
    apple.sign(forged, 'stranger'),
  ]
  for (const receiptData of tries) {
    const answer = await billing.call(validateIos, {
      userId,
      body: { receiptData, transactionId, productId },
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'purchase_invalid' } })
  }
  expect((await planOf(userId)).subscriptionType).toBe('free')
})

it('a purchase of a license tester at Google is premium and marked as sandbox', async () => {
  const { google, billing } = stores
  const [tester, buyer] = [randomUUID(), randomUUID()]
  await billing.call(validateAndroid, { userId: tester, body: google.purchase({ testPurchase: {} }) })
  await billing.call(validateAndroid, { userId: buyer, body: google.purchase() })
  expect((await planOf(tester)).subscriptionType).toBe('premium')
  expect(await marksOf(tester)).toEqual({ subscription: true, grant: true })
  expect(await marksOf(buyer)).toEqual({ subscription: false, grant: false })
})
