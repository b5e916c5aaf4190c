import { jest } from '@jest/globals'
import type { User } from '@sumlock/contracts/user'
import { act, screen } from '@testing-library/react'
import { refusal } from '../../../test/fake-api.ts'
import { androidPurchase, enterShell, leaveShell } from '../../../test/native-shell.ts'
import {
  freeUser,
  premiumUser,
  press,
  serveUser,
  showSettings,
  toastShown,
} from '../../../test/settings-page.tsx'
import { productsOf, storePlugin } from './native-store.ts'
import type { StorePlugin } from './native-store.ts'
import { dismissToast } from '../../../test/page.ts'

const status = 'GET /api/mobile-subscription/status'
const validate = 'POST /api/mobile-subscription/validate-android'

let server: ReturnType<typeof serveUser>
beforeEach(() => dismissToast())
afterEach(() => {
  leaveShell()
  act(() => server.restore())
})

const serve = (user: User, answers?: Parameters<typeof serveUser>[1]) => {
  server = serveUser(user, answers)
}
const show = () => showSettings()

it('SET-18 SET-26: is offered in native apps to users without premium', async () => {
  serve(freeUser)
  const { unmount } = show()
  await screen.findByRole('heading', { name: 'Promo Code' })
  expect(screen.queryByRole('heading', { name: 'Mobile subscription' })).toBeNull()
  unmount()
  server.restore()
  enterShell('android', {})
  serve(freeUser)
  const second = show()
  expect(await screen.findByRole('heading', { name: 'Mobile subscription' })).toBeTruthy()
  second.unmount()
  server.restore()
  serve(premiumUser)
  show()
  await screen.findByRole('heading', { name: 'Redeem Upgrade Code' })
  expect(screen.queryByRole('heading', { name: 'Mobile subscription' })).toBeNull()
})

it('ENT-38: describes each product as the store does, and with words of its own before that', () => {
  enterShell('ios', {
    products: () => [
      { id: 'premium_yearly', title: 'Yearly', description: 'All of a year', price: 'CHF 30' },
    ],
  })
  expect(productsOf(storePlugin(), 'ios')).toEqual([
    {
      id: 'premium_monthly',
      title: 'Premium, monthly',
      description: 'Unlimited messages',
      price: '$29/year',
      platform: 'ios',
    },
    {
      id: 'premium_yearly',
      title: 'Yearly',
      description: 'All of a year',
      price: 'CHF 30',
      platform: 'ios',
    },
  ])
})

it('ENT-39 ENT-40: sells both products at the price of the store, or else at $29/year', async () => {
  enterShell('android', {})
  serve(freeUser)
  show()
  expect(await screen.findByRole('button', { name: 'Monthly Unlimited messages $2.99' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Premium, yearly Unlimited messages $29/year' })).toBeTruthy()
})

const nowPremium = { status: 200, body: { subscriptionType: 'premium' } }
const stillFree = { status: 200, body: { subscriptionType: 'free' } }
const activated = ['Subscription Activated', 'Your premium subscription is now active!'] as const
/**
 * A shell whose purchases are finished. Each one is recorded with the bodies that were sent to the server before it.
 */
const inShellThatFinishes = (name: 'ios' | 'android', store: Partial<StorePlugin> = {}) => {
  const finished: unknown[] = []
  const finish: StorePlugin['finish'] = (done) => {
    finished.push({ done, checked: server.sent.some(({ call }) => call.includes('/validate-')) })
    return Promise.resolve()
  }
  enterShell(name, { finish, ...store })
  return finished
}

it('ERR-33: a purchase is validated by the server, and finished at the store then', async () => {
  const order = jest.fn<StorePlugin['order']>().mockResolvedValue(androidPurchase)
  const finished = inShellThatFinishes('android', { order })
  serve(freeUser, { [validate]: nowPremium })
  show()
  await press(/yearly/)
  await toastShown(...activated)
  expect(order).toHaveBeenCalledWith('premium_yearly', 'u1')
  const { platform: _platform, ...body } = androidPurchase
  expect(server.bodiesOf(validate)).toEqual([body])
  expect(finished).toEqual([{ done: androidPurchase, checked: true }])
})

it('a purchase that waits for its payment is not premiumUser, and is not finished', async () => {
  const finished = inShellThatFinishes('android')
  serve(freeUser, { [validate]: stillFree })
  show()
  await press(/yearly/)
  await toastShown(
    'Purchase pending',
    'Your purchase is waiting for the store. Premium begins once the store confirms the payment.',
  )
  expect(finished).toEqual([])
})

it('a purchase that the server refuses is not finished', async () => {
  const finished = inShellThatFinishes('android')
  serve(freeUser, { [validate]: refusal(503, 'The store is away.') })
  show()
  await press(/yearly/)
  await toastShown('Validation Error', 'The store is away.')
  expect(finished).toEqual([])
})

it('a purchase is premium although the store does not finish it', async () => {
  const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
  enterShell('android', { finish: () => Promise.reject(new Error('down')) })
  serve(freeUser, { [validate]: nowPremium })
  show()
  await press(/yearly/)
  await toastShown(...activated)
  expect(warned).toHaveBeenCalledWith('The store did not finish a purchase', expect.any(Error))
  warned.mockRestore()
})

it('restores what was bought before, also beside what has ended', async () => {
  const [old, present] = ['old', 'present'].map((transactionId) => ({
    platform: 'ios' as const,
    receiptData: 'r',
    transactionId,
    productId: 'premium_yearly',
  }))
  const finished = inShellThatFinishes('ios', {
    restore: () => Promise.resolve([present, old] as never),
  })
  serve(freeUser)
  server.answers['POST /api/mobile-subscription/validate-ios'] = (body) =>
    (body as { transactionId: string }).transactionId === 'present' ? nowPremium : stillFree
  show()
  await press('Restore purchases')
  await toastShown(...activated)
  expect(finished.map((one) => (one as { done: unknown }).done)).toEqual([present, old])
})

it.each([
  ['nothing', [], 'This store account has no purchase.'],
  ['what has ended', [androidPurchase], 'What this store account bought has ended, or is not paid yet.'],
])('says that there is nothing to restore of %s', async (_what, purchases, description) => {
  enterShell('android', { restore: () => Promise.resolve(purchases) })
  serve(freeUser, { [validate]: stillFree })
  show()
  await press('Restore purchases')
  await toastShown('Nothing to restore', description)
})

it.each([
  [{ isActive: true, autoRenewing: true }, /^Active until .*2027/],
  [{ isActive: false, autoRenewing: false }, /^Ended on .*2027/],
  [{ isActive: false, autoRenewing: true }, /^Waiting for the store$/],
])('says how a subscription in the store stands', async ({ isActive, autoRenewing }, text) => {
  enterShell('android', {})
  const expiryDate = '2027-11-22T12:00:00.000Z'
  const subscription = { platform: 'android', productId: 'premium_yearly', expiryDate, autoRenewing }
  serve(freeUser, { [status]: { status: 200, body: { isActive, subscription } } })
  show()
  expect(await screen.findByText(text)).toBeTruthy()
})

it.each([
  [refusal(409, 'Another account.'), 'Another account.'],
  [{ status: 500, body: {} }, 'Failed to validate purchase'],
])('ERR-23: a purchase that cannot be checked says why', async (answer, description) => {
  enterShell('android', {})
  serve(freeUser, { [validate]: answer })
  show()
  await press(/yearly/)
  await toastShown('Validation Error', description)
})

it('ERR-24: a store that does not start says so', async () => {
  enterShell('android', { initialize: () => Promise.reject(new Error('down')) })
  serve(freeUser)
  show()
  await toastShown('Store Error', 'Failed to initialize app store')
})

it('ERR-25: a shell without a store says so', async () => {
  enterShell('android')
  serve(freeUser)
  show()
  await toastShown('Not Available', 'In-app purchases not available on this platform')
})

it.each([
  [{ order: () => Promise.reject(new Error('You cancelled.')) }, 'You cancelled.'],
  [{ order: () => Promise.reject(new Error()) }, 'Failed to process purchase'],
])('ERR-26: a failed purchase says why', async (plugin, description) => {
  enterShell('android', plugin)
  serve(freeUser)
  show()
  await press(/yearly/)
  await toastShown('Purchase Failed', description)
})

it('ERR-27: a product that the store does not have is not ordered', async () => {
  const order = jest.fn<StorePlugin['order']>()
  enterShell('android', { products: () => [], order })
  serve(freeUser)
  show()
  await press(/yearly/)
  await toastShown('Purchase Failed', 'Product not found')
  expect(order).not.toHaveBeenCalled()
})
