import type { WholeUser } from '@sumlock/contracts/user'
import { render, screen, within } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { Provider } from 'react-redux'
import { fakeApi, refusal, unlockedUser } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { AccountDetails } from './AccountDetails.tsx'
import { store } from '../../../test/page.ts'

const user = {
  ...unlockedUser,
  fullName: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '+15550001111',
} as unknown as WholeUser
let server: ReturnType<typeof fakeApi>
let sent: unknown[]
let answer: Answer

beforeEach(() => {
  sent = []
  answer = { status: 200, body: { ok: true } }
  const record = (body: unknown) => {
    sent.push(body)
    return answer
  }
  const codeSent = { resendAfterSeconds: 30, expiresInSeconds: 600 }
  server = fakeApi({
    'POST /api/account/full-name': record,
    'POST /api/account/email': record,
    'POST /api/account/phone': record,
    'POST /api/phone/request-code': () => ({ status: 200, body: codeSent }),
    'POST /api/phone/verify-code': () => ({ status: 200, body: { ok: true } }),
  })
  render(
    <Provider store={store}>
      <AccountDetails user={user} />
    </Provider>,
  )
})
afterEach(() => server.restore())

const dialog = () => within(screen.getByRole('dialog'))
const field = (label: string) => dialog().getByLabelText<HTMLInputElement>(label, { selector: 'input' })
const press = (name: string) => userEvent.click(dialog().getByRole('button', { name }))

it('the full name is changed with the account password', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Full name Ada Lovelace' }))
  await userEvent.type(field('Account password'), 'correct horse')
  await press('Change full name')
  expect(dialog().getByText('Enter your full name.')).toBeTruthy()
  expect(sent).toEqual([])
  await userEvent.type(field('New full name'), 'Ada King')
  await press('Change full name')
  expect(sent).toEqual([{ password: 'correct horse', fullName: 'Ada King' }])
  expect(await screen.findByText('Your full name was changed.')).toBeTruthy()
})

it('a new e-mail address gets a link, and stays below its field when the server refuses it', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Email ada@example.com' }))
  await userEvent.type(field('Account password'), 'correct horse')
  await userEvent.type(field('New email address'), 'ben@example.com')
  const fields = { email: 'Enter a valid e-mail address.' }
  answer = { status: 400, body: { ...refusal(400, 'invalid_request').body, fields } }
  await press('Send link to the new address')
  expect(field('New email address').getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(field('New email address'))
  answer = { status: 200, body: { ok: true } }
  await press('Send link to the new address')
  expect(await screen.findByText(/We sent a link to the new address/)).toBeTruthy()
})

it('a new phone number is verified with a code before the account password makes it theirs', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Phone +15550001111' }))
  await userEvent.type(field('New phone number'), '5550002222')
  await press('Send Code')
  expect(dialog().getByText(/Enter the number with its country code/)).toBeTruthy()
  await userEvent.clear(field('New phone number'))
  await userEvent.type(field('New phone number'), '+1 555 000 2222')
  await press('Send Code')
  await userEvent.type(await dialog().findByLabelText('Digit 1'), '123456')
  await press('Verify Code')
  expect(await screen.findByText(/\+15550002222 is verified/)).toBeTruthy()
  expect(sent).toEqual([])
  await userEvent.type(field('Account password'), 'correct horse')
  await press('Change phone number')
  expect(sent).toEqual([{ password: 'correct horse', phone: '+15550002222' }])
})
