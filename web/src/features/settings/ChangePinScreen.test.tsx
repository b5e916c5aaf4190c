import { render, screen } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { Provider } from 'react-redux'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { fakeApi, refusal, unlockedUser } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { Tooltips } from '../../shared/ui/TipButton.tsx'
import { Toaster } from '../../shared/ui/Toaster.tsx'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { RequireUnlocked, RequireUser } from '../session/RequireUser.tsx'
import { ChangePinScreen } from './ChangePinScreen.tsx'
import { SettingsScreen } from './SettingsScreen.tsx'
import { store, dismissToast } from '../../../test/page.ts'

let server: ReturnType<typeof fakeApi>
let sent: unknown[]
let answer: Answer

beforeEach(async () => {
  sent = []
  answer = { status: 200, body: { ok: true } }
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: unlockedUser }),
    'GET /api/identity': () => ({ status: 200, body: { identities: [] } }),
    'POST /api/change-numeric-password': (body) => {
      sent.push(body)
      return answer
    },
  })
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={['/settings']}>
        <AuthProvider>
          <Tooltips>
            <Routes>
              <Route element={<RequireUser />}>
                <Route path="/settings" element={<SettingsScreen />} />
                <Route element={<RequireUnlocked />}>
                  <Route path="/settings/number" element={<ChangePinScreen />} />
                </Route>
              </Route>
            </Routes>
          </Tooltips>
        </AuthProvider>
      </MemoryRouter>
      <Toaster />
    </Provider>,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Change security password' }))
})
afterEach(() => {
  server.restore()
  dismissToast()
})

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const errorOf = (element: HTMLElement) =>
  document.getElementById(element.getAttribute('aria-describedby') ?? 'none')?.textContent
async function enter(current: string, next: string, again = next) {
  const entries = {
    'Current Security Password': current,
    'New Security Password': next,
    'Confirm Security Password': again,
  }
  for (const [label, digits] of Object.entries(entries)) {
    await userEvent.clear(field(label))
    if (digits !== '') await userEvent.type(field(label), digits)
  }
  await userEvent.click(screen.getByRole('button', { name: 'Change Password' }))
}

it('the number is changed with the present one, and a toast says so', async () => {
  await enter('1815', '271828')
  expect(await screen.findByText('Password changed')).toBeTruthy()
  expect(sent).toEqual([{ currentNumericPassword: '1815', numericPassword: '271828' }])
  expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeTruthy()
})

it('a refused present number is named at its field, which has the focus, and the entries stay', async () => {
  answer = refusal(403, 'wrong_pin')
  await enter('1816', '271828')
  const current = field('Current Security Password')
  await screen.findByText('This number was not accepted. Check it and try again.')
  expect(errorOf(current)).toBe('This number was not accepted. Check it and try again.')
  expect(document.activeElement).toBe(current)
  expect(field('New Security Password').value).toBe('271828')
})

it.each([
  ['', '2718', '2718', 'Current Security Password', 'Enter the number that you use now.'],
  ['1815', '271', '271', 'New Security Password', 'Use at least 4 digits.'],
  ['1815', '2718', '2719', 'Confirm Security Password', 'Please confirm your password'],
])(
  'a change from "%s" to "%s" and "%s" is not sent: %s says %s',
  async (current, next, again, label, error) => {
    await enter(current, next, again)
    expect(errorOf(field(label))).toContain(error)
    expect(document.activeElement).toBe(field(label))
    expect(sent).toEqual([])
  },
)

it('a change that finds no server says so above the button', async () => {
  answer = 'no connection'
  await enter('1815', '2718')
  expect(await screen.findByText('No connection. Please try again.')).toBeTruthy()
})
