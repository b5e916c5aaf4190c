import { jest } from '@jest/globals'
import type { User } from '@sumlock/contracts/user'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route } from 'react-router-dom'
import { fakeApi, lockedUser, refusal, unlockedUser } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { showSignedIn } from '../../../test/show-signed-in.tsx'
import { api } from '../../api/base-api.ts'
import { store } from '../../app/store.ts'
import { page } from '../../shared/lib/page.ts'
import { dismissToast, toastStore } from '../../shared/ui/toast.ts'
import { SettingsScreen } from '../settings/SettingsScreen.tsx'
import { PaymentScreen } from './PaymentScreen.tsx'

const upgrade = 'POST /api/subscription/upgrade'
const gift = 'POST /api/subscription/gift'
const redeem = 'POST /api/subscription/redeem'
const free = { ...lockedUser, subscriptionType: 'free', dailyMessageCount: null } as unknown as User
const premium = {
  ...unlockedUser,
  subscriptionType: 'premium',
  subscriptionExpiresAt: '2027-11-22T12:00:00.000Z',
} as unknown as User
const plan = { subscriptionType: 'premium', subscriptionExpiresAt: '2027-11-22T12:00:00.000Z' }
const code = 'F3K9-QW2M-7ZTB-4XHD'

let server: ReturnType<typeof fakeApi>
let sent: Record<string, unknown[]>
let left: string[]
const realLeave = page.leaveFor
beforeEach(() => {
  sent = {}
  left = []
  dismissToast()
  page.leaveFor = (address) => void left.push(address)
  store.dispatch(api.util.resetApiState())
})
afterEach(() => {
  page.leaveFor = realLeave
  act(() => server.restore())
})

function serve(
  user: User,
  answers: Record<string, Answer | (() => Answer)> = {},
  provider: string | null = 'sandbox',
) {
  const recorded = Object.entries(answers).map(([call, answer]) => [
    call,
    (body: unknown) => {
      ;(sent[call] ??= []).push(body)
      return typeof answer === 'function' ? answer() : answer
    },
  ])
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: user }),
    'GET /api/subscription/offer': () => ({ status: 200, body: { provider, price: '$29' } }),
    ...(Object.fromEntries(recorded) as Record<string, (body: unknown) => Answer>),
  })
}

const show = (address: Parameters<typeof showSignedIn>[1] = '/settings') =>
  showSignedIn(
    <>
      <Route path="/settings" element={<SettingsScreen />} />
      <Route path="/settings/payment" element={<PaymentScreen />} />
    </>,
    address,
  )
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const dialog = () => within(screen.getByRole('dialog'))
const toastShown = (title: string, description: string) =>
  waitFor(() => expect(toastStore.get()).toMatchObject({ title, description }))

it('SET-17 PROD-11 ERR-30 PROD-15: a free user upgrades for $29 a year, and is told until when', async () => {
  serve(free, { [upgrade]: { status: 200, body: plan } })
  show()
  await press('Upgrade to Premium - $29/year')
  expect(dialog().getByText('$29').parentElement?.textContent).toBe('$29 for one year')
  expect(await screen.findByText(/No money is taken/)).toBeTruthy()
  await press('Upgrade')
  await toastShown('Upgraded to Premium', 'You now have unlimited messaging!')
  expect(dialog().getByRole('status').textContent).toMatch(/^Unlimited until .*2027/)
  expect(sent[upgrade]).toEqual([undefined])
  expect(server.asked.filter((call) => call === 'GET /api/user').length).toBeGreaterThan(1)
})

it('the upgrade leads to the page of a payment provider, and shows no success before it is paid', async () => {
  serve(
    free,
    { [upgrade]: { status: 200, body: { paymentId: 'p', checkoutUrl: 'https://pay.example/1' } } },
    'stripe',
  )
  show()
  await press('Upgrade to Premium - $29/year')
  await press('Continue to payment')
  await waitFor(() => expect(left).toEqual(['https://pay.example/1']))
  expect(toastStore.get()?.title).not.toBe('Upgraded to Premium')
})

it('an upgrade that fails says why, and can be tried again', async () => {
  serve(free, { [upgrade]: refusal(503, 'Nothing was charged.') })
  show()
  await press('Upgrade to Premium - $29/year')
  await press('Upgrade')
  expect(await screen.findByText('Nothing was charged.')).toBeTruthy()
  expect(dialog().getByRole('button', { name: 'Upgrade' })).toBeTruthy()
})

it('without a payment provider, the upgrade says so and cannot be pressed', async () => {
  serve(free, {}, null)
  show()
  await press('Upgrade to Premium - $29/year')
  expect(await screen.findByText(/Payments are not available here/)).toBeTruthy()
  expect(dialog().getByRole<HTMLButtonElement>('button', { name: 'Upgrade' }).disabled).toBe(true)
})

it('opens the upgrade at once for who comes from a used-up limit', async () => {
  serve(free)
  show({ pathname: '/settings', state: { upgrade: true } })
  expect(await screen.findByRole('dialog', { name: 'Upgrade to Premium' })).toBeTruthy()
})

it.each([
  ['free', free],
  ['premium', premium],
])('SET-20 SET-21 LIM-01: gift and redemption are offered to a %s user', async (_plan, user) => {
  serve(user)
  show()
  expect(await screen.findByRole('heading', { name: 'Gift Premium Access - $29' })).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Redeem Upgrade Code' })).toBeTruthy()
})

it('VAL-14: a gift without a recipient is refused', async () => {
  serve(premium, { [gift]: { status: 200, body: {} } })
  show()
  await press('Gift premium')
  await press('Send gift')
  await toastShown('Email required', 'Please enter recipient email')
  expect(document.activeElement?.getAttribute('type')).toBe('email')
  expect(sent[gift]).toBeUndefined()
})

async function giveWith(message: string) {
  serve(premium, { [gift]: { status: 200, body: { upgradeCode: code, recipientEmail: 'ben@example.com' } } })
  show()
  await press('Gift premium')
  await userEvent.type(screen.getByLabelText('Recipient email'), 'ben@example.com')
  if (message) await userEvent.type(screen.getByLabelText('Gift message (optional)'), message)
  await press('Send gift')
  await toastShown('Gift sent successfully', `Upgrade code ${code} sent to ben@example.com`)
  expect(sent[gift]).toEqual([{ recipientEmail: 'ben@example.com', giftMessage: message }])
}

it('VAL-15 ERR-31 PROD-16: a gift needs no message, and its code is shown to the buyer', async () => {
  await giveWith('')
  expect(dialog().getByText(code)).toBeTruthy()
})

it('SET-20: a gift carries its message', () => giveWith('For all our sums'))

it('VAL-16: redeeming without a code is refused', async () => {
  serve(free, { [redeem]: { status: 200, body: plan } })
  show()
  await press('Redeem code')
  await press('Redeem')
  await toastShown('Code required', 'Please enter upgrade code')
  expect(sent[redeem]).toBeUndefined()
})

it('CALL-34 ERR-32 PROD-17: a code brings premium', async () => {
  serve(free, { [redeem]: { status: 200, body: plan } })
  show()
  await press('Redeem code')
  await userEvent.type(screen.getByLabelText('Upgrade code'), code.toLowerCase())
  await press('Redeem')
  await toastShown('Code redeemed successfully', 'You now have premium access!')
  expect(sent[redeem]).toEqual([{ upgradeCode: code }])
  expect(dialog().getByRole('status').textContent).toMatch(/^Unlimited until .*2027/)
})

it('a wrong code keeps what was typed and says what to do', async () => {
  serve(free, { [redeem]: refusal(404, 'This code is not valid.') })
  show()
  await press('Redeem code')
  await userEvent.type(screen.getByLabelText('Upgrade code'), 'ABCD')
  await press('Redeem')
  expect(await screen.findByText('This code is not valid.')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Upgrade code').value).toBe('ABCD')
})

it('shows why and until when someone has premium', async () => {
  const segments = [
    { source: 'direct', startsAt: '2025-11-22T12:00:00.000Z', endsAt: '2026-11-22T12:00:00.000Z' },
    { source: 'gift', startsAt: '2026-11-22T12:00:00.000Z', endsAt: '2027-11-22T12:00:00.000Z' },
  ]
  serve(premium, {
    'GET /api/subscription/timeline': { status: 200, body: { premiumUntil: segments[1]?.endsAt, segments } },
  })
  show()
  const reasons = within(await screen.findByRole('list', { name: 'Why you have Premium' }))
  expect(reasons.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Upgradeuntil .*2026/),
    expect.stringMatching(/^Giftuntil .*2027/),
  ])
})

describe('the page behind a payment', () => {
  const read = 'GET /api/subscription/payments/p1'
  const address = '/settings/payment?id=p1'

  it('waits until the payment is confirmed, then shows what it changed', async () => {
    jest.useFakeTimers()
    let status = 'pending'
    serve(free, { [read]: () => ({ status: 200, body: { kind: 'upgrade', status, gift: null } }) })
    show(address)
    // Each answer starts the next wait.
    for (let seconds = 0; seconds < 30; seconds += 2) await act(() => jest.advanceTimersByTimeAsync(2000))
    expect(screen.getByText('Confirming your payment...')).toBeTruthy()
    expect(screen.getByText(/takes longer than usual/)).toBeTruthy()
    status = 'paid'
    await act(() => jest.advanceTimersByTimeAsync(3000))
    expect(screen.getByText('Thank you. You now have unlimited messaging!')).toBeTruthy()
    expect(toastStore.get()?.title).toBe('Upgraded to Premium')
    jest.useRealTimers()
  })

  it('shows the code of a paid gift', async () => {
    const body = {
      kind: 'gift',
      status: 'paid',
      gift: { upgradeCode: code, recipientEmail: 'ben@example.com' },
    }
    serve(free, { [read]: { status: 200, body } })
    show(address)
    expect(await screen.findByText(code)).toBeTruthy()
    expect(toastStore.get()?.title).toBe('Gift sent successfully')
  })

  it.each([
    [
      { status: 200, body: { kind: 'upgrade', status: 'failed', gift: null } },
      /not completed\. Nothing was charged/,
    ],
    [refusal(404, 'no'), /could not be found/],
  ])('says how it ended, with a way back', async (answer, text) => {
    serve(free, { [read]: answer })
    show(address)
    expect(await screen.findByText(text)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Back to Settings' }))
    expect(await screen.findByText('Free Plan')).toBeTruthy()
  })
})
