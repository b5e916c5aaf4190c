import { yearPrice } from '@sumlock/contracts/price'
import type { User } from '@sumlock/contracts/user'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { refusal } from '../../../test/fake-api.ts'
import {
  freeUser,
  premiumUser,
  press,
  serveUser,
  showSettings as show,
  toastShown,
} from '../../../test/settings-page.tsx'
import { page, dismissToast, toasts as toastStore } from '../../../test/page.ts'

const upgrade = 'POST /api/subscription/upgrade'
const gift = 'POST /api/subscription/gift'
const redeem = 'POST /api/subscription/redeem'
const plan = { subscriptionType: 'premium', subscriptionExpiresAt: '2027-11-22T12:00:00.000Z' }
const code = 'F3K9-QW2M-7ZTB-4XHD'

let server: ReturnType<typeof serveUser>
let left: string[]
const realLeave = page.leaveFor
beforeEach(() => {
  left = []
  dismissToast()
  page.leaveFor = (address) => void left.push(address)
})
afterEach(() => {
  page.leaveFor = realLeave
  act(() => server.restore())
})

function serve(
  user: User,
  answers?: Parameters<typeof serveUser>[1],
  provider: string | null = 'sandbox',
): void {
  server = serveUser(user, answers)
  server.answers['GET /api/subscription/offer'] = () => ({ status: 200, body: { provider, price: '$29' } })
}
const dialog = () => within(screen.getByRole('dialog'))

it('SET-17 PROD-11 ERR-30 PROD-15: a free user upgrades for $29 a year, and is told until when', async () => {
  serve(freeUser, { [upgrade]: { status: 200, body: plan } })
  show()
  await press('Upgrade to Premium - $29/year')
  expect(dialog().getByText('$29').parentElement?.textContent).toBe('$29 for one year')
  expect(await screen.findByText(/No money is taken/)).toBeTruthy()
  await press('Upgrade')
  await toastShown('Upgraded to Premium', 'You now have unlimited messaging!')
  expect(dialog().getByRole('status').textContent).toMatch(/^Unlimited until .*2027/)
  expect(server.bodiesOf(upgrade)).toEqual([undefined])
  expect(server.asked.filter((call) => call === 'GET /api/user').length).toBeGreaterThan(1)
})

it('the upgrade leads to the page of a payment provider, and shows no success before it is paid', async () => {
  serve(
    freeUser,
    { [upgrade]: { status: 200, body: { paymentId: 'p', checkoutUrl: 'https://pay.example/1' } } },
    'stripe',
  )
  show()
  await press('Upgrade to Premium - $29/year')
  await press('Continue to payment')
  await waitFor(() => expect(left).toEqual(['https://pay.example/1']))
  expect(toastStore.get()?.title).not.toBe('Upgraded to Premium')
})

it('ERR-35: an upgrade that fails says why, and can be tried again', async () => {
  serve(freeUser, { [upgrade]: refusal(503, 'Nothing was charged.') })
  show()
  await press('Upgrade to Premium - $29/year')
  await press('Upgrade')
  expect(await screen.findByText('Nothing was charged.')).toBeTruthy()
  expect(dialog().getByRole('button', { name: 'Upgrade' })).toBeTruthy()
})

it('without a payment provider, the upgrade says so and cannot be pressed', async () => {
  serve(freeUser, {}, null)
  show()
  await press('Upgrade to Premium - $29/year')
  expect(await screen.findByText(/Payments are not available here/)).toBeTruthy()
  expect(dialog().getByRole<HTMLButtonElement>('button', { name: 'Upgrade' }).disabled).toBe(true)
})

it('opens the upgrade at once for a person who comes from a used-up limit', async () => {
  serve(freeUser)
  show({ pathname: '/settings', state: { upgrade: true } })
  expect(await screen.findByRole('dialog', { name: 'Upgrade to Premium' })).toBeTruthy()
})

it.each([
  ['free', freeUser],
  ['premium', premiumUser],
])('SET-20 SET-21: gift and redemption are offered to a %s user', async (_plan, user) => {
  serve(user)
  show()
  expect(await screen.findByRole('heading', { name: 'Gift Premium Access - $29' })).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Redeem Upgrade Code' })).toBeTruthy()
})

it('LIM-01: a gift costs $29, which its card and its form say', async () => {
  serve(premiumUser)
  server.answers['GET /api/subscription/offer'] = () => ({ status: 503, body: {} })
  show()
  expect(await screen.findByRole('heading', { name: 'Gift Premium Access - $29' })).toBeTruthy()
  await press('Gift premium')
  expect(dialog().getByText('$29').parentElement?.textContent).toBe('$29 for one year')
  expect(yearPrice).toMatchObject({ cents: 2900, currency: 'usd' })
})

it('VAL-14: a gift without a recipient is refused', async () => {
  serve(premiumUser, { [gift]: { status: 200, body: {} } })
  show()
  await press('Gift premium')
  await press('Send gift')
  await toastShown('Email required', 'Please enter recipient email')
  expect(document.activeElement?.getAttribute('type')).toBe('email')
  expect(server.bodiesOf(gift)).toEqual([])
})

async function giveWith(message: string) {
  serve(premiumUser, {
    [gift]: { status: 200, body: { upgradeCode: code, recipientEmail: 'ben@example.com' } },
  })
  show()
  await press('Gift premium')
  await userEvent.type(screen.getByLabelText('Recipient email'), 'ben@example.com')
  if (message) await userEvent.type(screen.getByLabelText('Gift message (optional)'), message)
  await press('Send gift')
  await toastShown('Gift sent successfully', `Upgrade code ${code} sent to ben@example.com`)
  expect(server.bodiesOf(gift)).toEqual([{ recipientEmail: 'ben@example.com', giftMessage: message }])
}

it('VAL-15 ERR-31 PROD-16: a gift needs no message, and its code is shown to the buyer', async () => {
  await giveWith('')
  expect(dialog().getByText(code)).toBeTruthy()
})

it('SET-20: a gift carries its message', () => giveWith('For all our sums'))

it('ERR-35: a gift that fails says why, and keeps what was typed', async () => {
  serve(premiumUser, { [gift]: refusal(503, 'Nothing was charged.') })
  show()
  await press('Gift premium')
  await userEvent.type(screen.getByLabelText('Recipient email'), 'ben@example.com')
  await press('Send gift')
  expect(await dialog().findByText('Nothing was charged.')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Recipient email').value).toBe('ben@example.com')
})

it('a gift to an impossible address, or with a message that is too long, is not bought and loses no text', async () => {
  serve(freeUser, { [gift]: { status: 200, body: {} } })
  show()
  await press('Gift premium')
  const message = screen.getByLabelText<HTMLTextAreaElement>('Gift message (optional)')
  await userEvent.click(message)
  await userEvent.paste('x'.repeat(501))
  expect(message.value).toHaveLength(501)
  expect(dialog().getByText(/^A gift message has at most 500 characters/).textContent).toMatch(
    /by 1 to send it/,
  )
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send gift' }).disabled).toBe(true)
  await userEvent.type(message, '{Backspace}')
  await userEvent.type(screen.getByLabelText('Recipient email'), 'jörg@example.com')
  await press('Send gift')
  expect(await dialog().findByText('Enter a valid e-mail address.')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Recipient email'))
  expect(server.bodiesOf(gift)).toEqual([])
})

it('VAL-16: redeeming without a code is refused', async () => {
  serve(freeUser, { [redeem]: { status: 200, body: plan } })
  show()
  await press('Redeem code')
  await press('Redeem')
  await toastShown('Code required', 'Please enter upgrade code')
  expect(server.bodiesOf(redeem)).toEqual([])
})

it('CALL-34 ERR-32 PROD-17: a code brings premium', async () => {
  serve(freeUser, { [redeem]: { status: 200, body: plan } })
  show()
  await press('Redeem code')
  await userEvent.type(screen.getByLabelText('Upgrade code'), code.toLowerCase())
  await press('Redeem')
  await toastShown('Code redeemed successfully', 'You now have premium access!')
  expect(server.bodiesOf(redeem)).toEqual([{ upgradeCode: code }])
  expect(dialog().getByRole('status').textContent).toMatch(/^Unlimited until .*2027/)
})

it('ERR-35: a wrong code keeps what was typed and says what to do', async () => {
  serve(freeUser, { [redeem]: refusal(404, 'This code is not valid.') })
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
  serve(premiumUser, {
    'GET /api/subscription/timeline': {
      status: 200,
      body: { premiumUntil: segments[1]?.endsAt, segments, ended: [] },
    },
  })
  show()
  const reasons = within(await screen.findByRole('list', { name: 'Why you have Premium' }))
  expect(reasons.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Upgradeuntil .*2026/),
    expect.stringMatching(/^Giftuntil .*2027/),
  ])
})

it('says what ended early, and why, also without premium', async () => {
  const at = '2026-11-22T12:00:00.000Z'
  const ended = [
    { what: 'upgrade', reason: 'disputed', at },
    { what: 'received-gift', reason: 'refunded', at },
    { what: 'given-gift', reason: 'refunded', at },
  ]
  serve(freeUser, {
    'GET /api/subscription/timeline': { status: 200, body: { premiumUntil: null, segments: [], ended } },
  })
  show()
  const sentences = within(await screen.findByRole('list', { name: 'What has ended' }))
  expect(sentences.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Premium that you had paid for ended on .*2026\. The payment was disputed/),
    expect.stringMatching(/^Premium that you were given ended on .*2026\. The payment was refunded\.$/),
    expect.stringMatching(/^The gift that you had bought ended on .*2026\. The payment was refunded\.$/),
  ])
})
