import { act, screen, waitFor, within } from '@testing-library/react'
import type { User } from '@sumlock/contracts/user'
import userEvent from '@testing-library/user-event'
import { Route } from 'react-router-dom'
import { refusal } from '../../../test/fake-api.ts'
import { enterShell, leaveShell } from '../../../test/native-shell.ts'
import {
  freeUser,
  premiumUser,
  press,
  serveUser,
  showSettings,
  toastShown,
} from '../../../test/settings-page.tsx'
import { nativeBuild, platform } from '../device/platform.ts'
import { codeIn, pendingPromoCode } from '../device/promo-link.ts'
import { startOf } from '../session/start-of.ts'
import { RedeemLinkScreen } from './RedeemLinkScreen.tsx'
import { dismissToast, toasts as toastStore } from '../../../test/page.ts'

const logged = 'POST /api/promo-code/log-redemption'
const generate = 'POST /api/promo-code/generate-url'
const history = 'GET /api/promo-code/history'
const status = 'GET /api/mobile-subscription/status'

let server: ReturnType<typeof serveUser>
let opened: { url: unknown; target: unknown }[]
const realOpen = window.open
beforeEach(() => {
  opened = []
  window.open = (url, target) => {
    opened.push({ url, target })
    return null
  }
  sessionStorage.clear()
  dismissToast()
})
afterEach(() => {
  window.open = realOpen
  leaveShell()
  nativeBuild.appStoreId = ''
  act(() => server.restore())
})

const serve = (user: User, answers?: Parameters<typeof serveUser>[1]) => {
  server = serveUser(user, answers)
}
const show = (address = '/settings') =>
  showSettings(address, undefined, <Route path="/redeem" element={<RedeemLinkScreen />} />)
const enter = async (code: string) => {
  await press('Enter promo code')
  if (code) await userEvent.type(screen.getByLabelText('Promo code'), code)
  await press('Redeem in the store')
}

it('SET-19: the promo code card is for users without premium', async () => {
  serve(freeUser)
  const { unmount } = show()
  expect(await screen.findByRole('heading', { name: 'Promo Code' })).toBeTruthy()
  unmount()
  server.restore()
  serve(premiumUser)
  show()
  expect(await screen.findByRole('heading', { name: 'Redeem Upgrade Code' })).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'Promo Code' })).toBeNull()
})

it('VAL-17 VAL-19: a promo code turns to capitals, and is for the mobile app', async () => {
  serve(freeUser)
  show()
  await enter(' summer24 ')
  expect(screen.getByLabelText<HTMLInputElement>('Promo code').value).toBe(' SUMMER24 ')
  await toastShown('Mobile app required', 'Promo code redemption is only available in the mobile app.')
})

it('VAL-18: an empty promo code is refused', async () => {
  serve(freeUser)
  show()
  await enter('')
  await toastShown('Invalid code', 'Please enter a promo code.')
})

it.each([
  ['android', 'The redemption page is opening.', {}],
  ['ios', 'Complete the redemption in the App Store.', { appId: '1234567890' }],
] as const)(
  'VAL-17 CALL-39 CALL-40 CALL-41 ERR-29: on %s, the store opens with the code in a new window',
  async (name, description, app) => {
    enterShell(name, {})
    nativeBuild.appStoreId = '1234567890'
    serve(freeUser, {
      [logged]: { status: 201, body: {} },
      [generate]: { status: 200, body: { url: 'https://store.example' } },
    })
    show()
    await enter(' summer24 ')
    await toastShown('Redemption initiated', description)
    expect(server.bodiesOf(logged)).toEqual([{ platform: name, promoCode: 'SUMMER24' }])
    expect(server.bodiesOf(generate)).toEqual([{ platform: name, promoCode: 'SUMMER24', ...app }])
    expect(opened).toEqual([{ url: 'https://store.example', target: '_blank' }])
  },
)

it('an iOS app without its App Store id says so, and asks the server for nothing', async () => {
  enterShell('ios', {})
  serve(freeUser, {
    [logged]: { status: 201, body: {} },
    [generate]: { status: 200, body: { url: 'https://store.example' } },
  })
  show()
  await enter('SUMMER24')
  const description =
    'This version of the app cannot open its page in the App Store. Please enter the code in the App Store itself.'
  await toastShown('Redemption failed', description)
  expect(screen.getByRole('dialog').textContent).toContain(description)
  expect(server.sent).toEqual([])
  expect(opened).toEqual([])
})

it('CALL-37: the status of the subscription is fetched again after a promo code', async () => {
  enterShell('android', {})
  serve(freeUser, {
    [logged]: { status: 201, body: {} },
    [generate]: { status: 200, body: { url: 'https://store.example' } },
    [status]: { status: 200, body: { isActive: false, subscription: null } },
  })
  show()
  await enter('SUMMER24')
  await waitFor(() => expect(server.bodiesOf(status).length).toBeGreaterThan(1))
})

it.each([
  [refusal(429, 'Too fast.'), 'Too fast.'],
  [{ status: 500, body: {} }, 'Failed to redeem promo code. Please try again.'],
])('ERR-28: a promo code that fails says why', async (answer, description) => {
  enterShell('android', {})
  serve(freeUser, { [logged]: answer })
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
  serve(freeUser, { [history]: { status: 200, body: { redemptions } } })
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
    ['/redeem?code=abc', 'ABC'],
    ['/redeem', null],
    ['/redeem?code=%3Cscript%3E', null],
    ['https://calculator.example/other?code=SUMMER24', null],
  ])('CALL-47: %s holds %s', (link, code) => {
    expect(codeIn(link)).toBe(code)
  })

  it('CALL-47 CALL-48 SET-24 ENT-41: is kept for this tab, leads to the settings and fills the dialog', async () => {
    serve(freeUser)
    show('/redeem?code=summer24')
    expect(await screen.findByRole('dialog', { name: 'Redeem promo code' })).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('Promo code').value).toBe('SUMMER24')
    expect(toastStore.get()?.title).toBe('Promo code detected')
    expect(sessionStorage.getItem('pendingPromoCode')).toBe('SUMMER24')
    await press('Cancel')
    expect(sessionStorage.getItem('pendingPromoCode')).toBeNull()
  })

  it('is not kept for a person who has premiumUser, and leads nowhere at the next sign-in', async () => {
    serve(premiumUser)
    show('/redeem?code=summer24')
    await screen.findByRole('heading', { name: 'Redeem Upgrade Code' })
    expect(toastStore.get()).toMatchObject({ title: 'Promo code detected', description: 'SUMMER24' })
    await waitFor(() => expect(sessionStorage.getItem('pendingPromoCode')).toBeNull())
    expect(startOf(premiumUser)).toBe('/')
  })

  it('is still there after a sign-in on the way, which leads to the settings', () => {
    serve(freeUser)
    expect(startOf(freeUser)).toBe('/')
    pendingPromoCode.keep('SUMMER24')
    expect(startOf(freeUser)).toBe('/settings')
  })

  it('opens the app of a native shell, the one that started it included', async () => {
    serve(freeUser)
    let onOpened: (opened: { url: string }) => void = () => undefined
    enterShell('ios', undefined, {
      App: {
        addListener: (_event: string, listener: typeof onOpened) => (onOpened = listener),
        getLaunchUrl: () => Promise.resolve({ url: 'calculator://redeem?code=FIRST' }),
      },
    })
    const heard: string[] = []
    platform.onLink((url) => heard.push(url))
    onOpened({ url: 'calculator://redeem?code=SECOND' })
    await waitFor(() => expect(heard).toHaveLength(2))
    expect(heard.map(codeIn).sort()).toEqual(['FIRST', 'SECOND'])
  })
})
