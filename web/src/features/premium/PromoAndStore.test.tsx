import { jest } from '@jest/globals'
import type { User } from '@sumlock/contracts/user'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route } from 'react-router-dom'
import { fakeApi, refusal, unlockedUser } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { showSignedIn } from '../../../test/show-signed-in.tsx'
import { api } from '../../api/base-api.ts'
import { store } from '../../app/store.ts'
import { platform } from '../../shared/lib/platform.ts'
import { codeIn, pendingPromoCode } from '../../shared/lib/promo-link.ts'
import { dismissToast, toastStore } from '../../shared/ui/toast.ts'
import { startOf } from '../session/start-of.ts'
import { SettingsScreen } from '../settings/SettingsScreen.tsx'
import type { StorePlugin } from './native-store.ts'
import { RedeemLinkScreen } from './RedeemLinkScreen.tsx'

const free = { ...unlockedUser, subscriptionType: 'free', dailyMessageCount: 0 } as unknown as User
const premium = {
  ...free,
  subscriptionType: 'premium',
  subscriptionExpiresAt: '2027-11-22T12:00:00.000Z',
} as User
const logged = 'POST /api/promo-code/log-redemption'
const generate = 'POST /api/promo-code/generate-url'
const history = 'GET /api/promo-code/history'
const status = 'GET /api/mobile-subscription/status'
const validate = 'POST /api/mobile-subscription/validate-android'
const purchase = {
  platform: 'android',
  packageName: 'p',
  productId: 'premium_yearly',
  purchaseToken: 't',
} as const

let server: ReturnType<typeof fakeApi>
let sent: { call: string; body: unknown }[]
let opened: unknown[]
const shell = globalThis as { Capacitor?: unknown; calculatorStore?: StorePlugin }
const realOpen = window.open
beforeEach(() => {
  sent = []
  opened = []
  window.open = (url) => {
    opened.push(url)
    return null
  }
  sessionStorage.clear()
  dismissToast()
  store.dispatch(api.util.resetApiState())
})
afterEach(() => {
  window.open = realOpen
  delete shell.Capacitor
  delete shell.calculatorStore
  act(() => server.restore())
})

function serve(user: User, answers: Record<string, Answer> = {}) {
  const recorded = Object.entries(answers).map(([call, answer]) => [
    call,
    (body: unknown) => {
      sent.push({ call, body })
      return answer
    },
  ])
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: user }),
    ...(Object.fromEntries(recorded) as Record<string, (body: unknown) => Answer>),
  })
}
const bodiesOf = (call: string) => sent.filter((one) => one.call === call).map(({ body }) => body)

const inShell = (name: 'ios' | 'android', store?: Partial<StorePlugin>) => {
  shell.Capacitor = { isNativePlatform: () => true, getPlatform: () => name }
  const products = [{ id: 'premium_monthly', title: 'Monthly', price: '$2.99' }, { id: 'premium_yearly' }]
  const whole: StorePlugin = {
    initialize: () => Promise.resolve(),
    products: () => products,
    order: () => Promise.resolve(purchase),
    restore: () => Promise.resolve([]),
    ...store,
  }
  if (store) shell.calculatorStore = whole
}

const show = (address = '/settings') =>
  showSignedIn(
    <Route path="/settings" element={<SettingsScreen />} />,
    address,
    <Route path="/redeem" element={<RedeemLinkScreen />} />,
  )
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const toastShown = (title: string, description: string) =>
  waitFor(() => expect(toastStore.get()).toMatchObject({ title, description }))
const enter = async (code: string) => {
  await press('Enter promo code')
  if (code) await userEvent.type(screen.getByLabelText('Promo code'), code)
  await press('Redeem in the store')
}

it('SET-19: the promo code card is for users without premium', async () => {
  serve(free)
  const { unmount } = show()
  expect(await screen.findByRole('heading', { name: 'Promo Code' })).toBeTruthy()
  unmount()
  server.restore()
  serve(premium)
  show()
  expect(await screen.findByRole('heading', { name: 'Redeem Upgrade Code' })).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'Promo Code' })).toBeNull()
})

it('VAL-17 VAL-19: a promo code turns to capitals, and is for the mobile app', async () => {
  serve(free)
  show()
  await enter(' summer24 ')
  expect(screen.getByLabelText<HTMLInputElement>('Promo code').value).toBe(' SUMMER24 ')
  await toastShown('Mobile app required', 'Promo code redemption is only available in the mobile app.')
})

it('VAL-18: an empty promo code is refused', async () => {
  serve(free)
  show()
  await enter('')
  await toastShown('Invalid code', 'Please enter a promo code.')
})

it.each([
  ['android', 'The redemption page is opening.'],
  ['ios', 'Complete the redemption in the App Store.'],
] as const)(
  'VAL-17 CALL-39 CALL-40 ERR-29: on %s, the store opens with the code',
  async (name, description) => {
    inShell(name, {})
    serve(free, {
      [logged]: { status: 201, body: {} },
      [generate]: { status: 200, body: { url: 'https://store.example' } },
    })
    show()
    await enter(' summer24 ')
    await toastShown('Redemption initiated', description)
    expect(bodiesOf(logged)).toEqual([{ platform: name, promoCode: 'SUMMER24' }])
    expect(opened).toEqual(['https://store.example'])
  },
)

it('CALL-37: the status of the subscription is fetched again after a promo code', async () => {
  inShell('android', {})
  serve(free, {
    [logged]: { status: 201, body: {} },
    [generate]: { status: 200, body: { url: 'https://store.example' } },
    [status]: { status: 200, body: { isActive: false, subscription: null } },
  })
  show()
  await enter('SUMMER24')
  await waitFor(() => expect(bodiesOf(status).length).toBeGreaterThan(1))
})

it.each([
  [refusal(429, 'Too fast.'), 'Too fast.'],
  [{ status: 500, body: {} }, 'Failed to redeem promo code. Please try again.'],
])('ERR-28: a promo code that fails says why', async (answer, description) => {
  inShell('android', {})
  serve(free, { [logged]: answer })
  show()
  await enter('SUMMER24')
  await toastShown('Redemption failed', description)
  expect(opened).toEqual([])
})

it('SET-25: the three newest redemptions are listed, with what became of them', async () => {
  const row = (promoCode: string, state: string, errorMessage: string | null = null) => ({
    id: promoCode,
    platform: 'ios',
    promoCode,
    status: state,
    errorMessage,
    createdAt: '2026-11-22T12:00:00.000Z',
  })
  const redemptions = [
    row('FOUR', 'pending'),
    row('THREE', 'failed', 'Too late.'),
    row('TWO', 'success'),
    row('ONE', 'success'),
  ]
  serve(free, { [history]: { status: 200, body: { redemptions } } })
  show()
  const list = within(await screen.findByRole('list', { name: 'Recent redemptions' }))
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'FOURWaiting for the store',
    'THREEFailedToo late.',
    'TWORedeemed',
  ])
})

describe('a link with a promo code', () => {
  it.each([
    ['https://calculator.example/redeem?code=summer24', 'SUMMER24'],
    ['calculator://redeem?code=SUMMER24', 'SUMMER24'],
    ['/redeem?code=SUMMER24', 'SUMMER24'],
    ['/redeem', null],
    ['/redeem?code=%3Cscript%3E', null],
    ['https://calculator.example/other?code=SUMMER24', null],
  ])('CALL-47: %s holds %s', (link, code) => {
    expect(codeIn(link)).toBe(code)
  })

  it('CALL-47 CALL-48 SET-24 ENT-41: is kept for this tab, leads to the settings and fills the dialog', async () => {
    serve(free)
    show('/redeem?code=summer24')
    expect(await screen.findByRole('dialog', { name: 'Redeem promo code' })).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('Promo code').value).toBe('SUMMER24')
    expect(toastStore.get()?.title).toBe('Promo code detected')
    expect(sessionStorage.getItem('pendingPromoCode')).toBe('SUMMER24')
    await press('Cancel')
    expect(sessionStorage.getItem('pendingPromoCode')).toBeNull()
  })

  it('is not kept for a person who has premium, and leads nowhere at the next sign-in', async () => {
    serve(premium)
    show('/redeem?code=summer24')
    await screen.findByRole('heading', { name: 'Redeem Upgrade Code' })
    expect(toastStore.get()).toMatchObject({ title: 'Promo code detected', description: 'SUMMER24' })
    await waitFor(() => expect(sessionStorage.getItem('pendingPromoCode')).toBeNull())
    expect(startOf(premium)).toBe('/')
  })

  it('is still there after a sign-in on the way, which leads to the settings', () => {
    serve(free)
    expect(startOf(free)).toBe('/')
    pendingPromoCode.keep('SUMMER24')
    expect(startOf(free)).toBe('/settings')
  })

  it('opens the app of a native shell, the one that started it included', async () => {
    serve(free)
    let onOpened: (opened: { url: string }) => void = () => undefined
    shell.Capacitor = {
      isNativePlatform: () => true,
      getPlatform: () => 'ios',
      Plugins: {
        App: {
          addListener: (_event: string, listener: typeof onOpened) => (onOpened = listener),
          getLaunchUrl: () => Promise.resolve({ url: 'calculator://redeem?code=FIRST' }),
        },
      },
    }
    const heard: string[] = []
    platform.onLink((url) => heard.push(url))
    onOpened({ url: 'calculator://redeem?code=SECOND' })
    await waitFor(() => expect(heard).toHaveLength(2))
    expect(heard.map(codeIn).sort()).toEqual(['FIRST', 'SECOND'])
  })
})

describe('the store of the device', () => {
  it('SET-18 SET-26: is offered in native apps to users without premium', async () => {
    serve(free)
    const { unmount } = show()
    await screen.findByRole('heading', { name: 'Promo Code' })
    expect(screen.queryByRole('heading', { name: 'Mobile subscription' })).toBeNull()
    unmount()
    server.restore()
    inShell('android', {})
    serve(free)
    const second = show()
    expect(await screen.findByRole('heading', { name: 'Mobile subscription' })).toBeTruthy()
    second.unmount()
    server.restore()
    store.dispatch(api.util.resetApiState())
    serve(premium)
    show()
    await screen.findByRole('heading', { name: 'Redeem Upgrade Code' })
    expect(screen.queryByRole('heading', { name: 'Mobile subscription' })).toBeNull()
  })

  it('ENT-38 ENT-39 ENT-40: sells both products at the price of the store, or else at $29/year', async () => {
    inShell('android', {})
    serve(free)
    show()
    expect(await screen.findByRole('button', { name: 'Monthly · $2.99' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Premium, yearly · $29/year' })).toBeTruthy()
  })

  it('ERR-33: a purchase is validated by the server', async () => {
    const order = jest.fn<StorePlugin['order']>().mockResolvedValue(purchase)
    inShell('android', { order })
    serve(free, { [validate]: { status: 200, body: { subscriptionType: 'premium' } } })
    show()
    await press(/yearly/)
    await toastShown('Subscription Activated', 'Your premium subscription is now active!')
    expect(order).toHaveBeenCalledWith('premium_yearly', 'u1')
    const { platform: _platform, ...body } = purchase
    expect(bodiesOf(validate)).toEqual([body])
  })

  it('restores what was bought before', async () => {
    inShell('android', { restore: () => Promise.resolve([purchase]) })
    serve(free, { [validate]: { status: 200, body: { subscriptionType: 'premium' } } })
    show()
    await press('Restore purchases')
    await toastShown('Subscription Activated', 'Your premium subscription is now active!')
  })

  it.each([
    [refusal(409, 'Another account.'), 'Another account.'],
    [{ status: 500, body: {} }, 'Failed to validate purchase'],
  ])('ERR-23: a purchase that cannot be checked says why', async (answer, description) => {
    inShell('android', {})
    serve(free, { [validate]: answer })
    show()
    await press(/yearly/)
    await toastShown('Validation Error', description)
  })

  it('ERR-24: a store that does not start says so', async () => {
    inShell('android', { initialize: () => Promise.reject(new Error('down')) })
    serve(free)
    show()
    await toastShown('Store Error', 'Failed to initialize app store')
  })

  it('ERR-25: a shell without a store says so', async () => {
    inShell('android')
    serve(free)
    show()
    await toastShown('Not Available', 'In-app purchases not available on this platform')
  })

  it.each([
    [{ order: () => Promise.reject(new Error('You cancelled.')) }, 'You cancelled.'],
    [{ order: () => Promise.reject(new Error()) }, 'Failed to process purchase'],
    [{ products: () => [] }, 'Product not found'],
  ])('ERR-26: a failed purchase says why', async (plugin, description) => {
    inShell('android', plugin)
    serve(free)
    show()
    await press(/yearly/)
    await toastShown('Purchase Failed', description)
  })
})
