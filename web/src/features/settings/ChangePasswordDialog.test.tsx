import { render, screen } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { Provider } from 'react-redux'
import { fakeApi, refusal } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx'
import { store } from '../../../test/page.ts'

let server: ReturnType<typeof fakeApi>
let sent: unknown[]
let answer: Answer

beforeEach(() => {
  sent = []
  answer = { status: 200, body: { ok: true } }
  server = fakeApi({
    'POST /api/password/change': (body) => {
      sent.push(body)
      return answer
    },
  })
  render(
    <Provider store={store}>
      <ChangePasswordDialog open onClose={() => undefined} />
    </Provider>,
  )
})
afterEach(() => server.restore())

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' })
async function enter(password: string, newPassword: string) {
  if (password !== '') await userEvent.type(field('Account password'), password)
  if (newPassword !== '') await userEvent.type(field('New account password'), newPassword)
  await userEvent.click(screen.getByRole('button', { name: 'Change account password' }))
}
const errorOf = (label: string) =>
  document.getElementById(field(label).getAttribute('aria-describedby') ?? 'none')?.textContent

it('the account password is changed with the present one, and the dialog says what that means', async () => {
  await enter('correct horse', 'another horse')
  expect(
    await screen.findByText('Your account password was changed. You are signed out everywhere else.'),
  ).toBeTruthy()
  expect(sent).toEqual([{ password: 'correct horse', newPassword: 'another horse' }])
})

it.each([
  ['', 'another horse', 'Account password', 'Enter your account password.'],
  ['correct horse', 'short', 'New account password', 'Password must be at least 6 characters long'],
])('a change from "%s" to "%s" is not sent: %s says %s', async (password, newPassword, label, error) => {
  await enter(password, newPassword)
  expect(errorOf(label)).toContain(error)
  expect(document.activeElement).toBe(field(label))
  expect(sent).toEqual([])
})

it.each([
  [refusal(403, 'wrong_credentials'), 'This is not your account password.'],
  ['no connection', 'No connection. Please try again.'],
] as [Answer, string][])('a refused change keeps the entries and says why', async (given, error) => {
  answer = given
  await enter('correct horse', 'another horse')
  await screen.findByText(error)
  expect(errorOf('Account password')).toBe(error)
  expect(field('New account password').value).toBe('another horse')
})
