import { jest } from '@jest/globals'
import type { User } from '@sumlock/contracts/user'
import { act, fireEvent, screen } from '@testing-library/react'
import { Route } from 'react-router-dom'
import { refusal } from '../../../test/fake-api.ts'
import { freeUser, premiumUser, press, serveUser, showSettings } from '../../../test/settings-page.tsx'
import { PaymentScreen } from './PaymentScreen.tsx'
import { dismissToast, toasts as toastStore } from '../../../test/page.ts'

const code = 'F3K9-QW2M-7ZTB-4XHD'

let server: ReturnType<typeof serveUser>
beforeEach(() => dismissToast())
afterEach(() => act(() => server.restore()))

const serve = (user: User, answers?: Parameters<typeof serveUser>[1]) => {
  server = serveUser(user, answers)
}
const show = (address: string) =>
  showSettings(address, <Route path="/settings/payment" element={<PaymentScreen />} />)

const read = 'GET /api/subscription/payments/p1'
const address = '/settings/payment?id=p1'

it('waits until the payment is confirmed, then shows what it changed', async () => {
  jest.useFakeTimers()
  let status = 'pending'
  serve(freeUser, { [read]: () => ({ status: 200, body: { kind: 'upgrade', status, gift: null } }) })
  show(address)
  // Each answer starts the next wait.
  for (let seconds = 0; seconds < 30; seconds += 2) await act(() => jest.advanceTimersByTimeAsync(2000))
  expect(screen.getByText('Confirming your payment...')).toBeTruthy()
  expect(screen.getByText(/takes longer than usual/)).toBeTruthy()
  status = 'paid'
  server.answers['GET /api/user'] = () => ({ status: 200, body: premiumUser })
  await act(() => jest.advanceTimersByTimeAsync(10_000))
  expect(screen.getByText('Thank you. You now have unlimited messaging!')).toBeTruthy()
  expect(screen.getByText(/^Unlimited until .*2027/)).toBeTruthy()
  expect(toastStore.get()?.title).toBe('Upgraded to Premium')
  jest.useRealTimers()
})

it('shows the code of a paid gift', async () => {
  const body = {
    kind: 'gift',
    status: 'paid',
    gift: { upgradeCode: code, recipientEmail: 'ben@example.com' },
  }
  serve(freeUser, { [read]: { status: 200, body } })
  show(address)
  expect(await screen.findByText(code)).toBeTruthy()
  expect(toastStore.get()?.title).toBe('Gift sent successfully')
})

const inState = (status: string, kind = 'upgrade') => ({
  status: 200,
  body: { kind, status, gift: null },
})
const notCompleted = 'The payment was not completed. Nothing was charged.'

it.each([
  ['failed', address],
  ['pending', `${address}&cancelled=1`],
])('a payment that is %s at the way back was not completed, and can be tried again', async (status, from) => {
  serve(freeUser, { [read]: inState(status) })
  show(from)
  expect(await screen.findByText(notCompleted)).toBeTruthy()
  expect(screen.queryByText('Confirming your payment...')).toBeNull()
  await press('Try again')
  expect(await screen.findByRole('dialog', { name: 'Upgrade to Premium' })).toBeTruthy()
})

it('a gift that was not paid is tried again as a gift', async () => {
  serve(premiumUser, { [read]: inState('pending', 'gift') })
  show(`${address}&cancelled=1`)
  await press('Try again')
  expect(await screen.findByRole('dialog', { name: 'Gift Premium Access' })).toBeTruthy()
})

it('a person who went back from a payment that is paid after all sees that it is', async () => {
  jest.useFakeTimers()
  let status = 'pending'
  serve(freeUser, { [read]: () => inState(status) })
  show(`${address}&cancelled=1`)
  expect(screen.queryByText('Confirming your payment...')).toBeNull()
  for (let seconds = 0; seconds < 6; seconds += 2) await act(() => jest.advanceTimersByTimeAsync(2000))
  expect(screen.getByText(notCompleted)).toBeTruthy()
  status = 'paid'
  await act(() => jest.advanceTimersByTimeAsync(10_000))
  expect(screen.queryByText(notCompleted)).toBeNull()
  expect(screen.getByText('Thank you. You now have unlimited messaging!')).toBeTruthy()
  jest.useRealTimers()
})

it.each([
  [inState('failed'), notCompleted],
  [inState('refunded'), 'This payment was refunded. The premium that it paid for was taken back.'],
  [
    inState('refunded', 'gift'),
    'This payment was refunded. The code no longer works, and premium that it had given has ended.',
  ],
  [inState('disputed'), /^Your bank has taken this payment back because it was disputed. The premium/],
  [inState('disputed', 'gift'), /^Your bank has taken this payment back because it was disputed. The gift/],
  [inState('paid', 'gift'), 'Your gift was paid. Its code was redeemed, or it has expired.'],
  [refusal(404, 'no'), 'This payment could not be found.'],
])('says how it ended, with a way back', async (answer, text) => {
  serve(freeUser, { [read]: answer })
  show(address)
  expect(await screen.findByText(text)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Back to Settings' }))
  expect(await screen.findByText('Free Plan')).toBeTruthy()
})
