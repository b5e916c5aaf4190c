import { act, render, screen, waitFor, within } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { Provider } from 'react-redux'
import { MemoryRouter, Route, Routes, useLocation, useNavigationType } from 'react-router-dom'
import { fakeApi, lockedUser, refusal } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { RequireUser } from '../session/RequireUser.tsx'
import { Toaster } from '../../shared/ui/Toaster.tsx'
import { SettingsScreen } from './SettingsScreen.tsx'
import { store, place, dismissToast } from '../../../test/page.ts'

let server: ReturnType<typeof fakeApi>
let sent: unknown[]
let answer: Answer

function Place() {
  const { pathname, state } = useLocation()
  return <p data-testid="place" data-came={useNavigationType()}>{`${pathname} ${JSON.stringify(state)}`}</p>
}

beforeEach(async () => {
  sent = []
  answer = { status: 200, body: { ok: true } }
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: { ...lockedUser, isSetupComplete: false } }),
    'POST /api/setup-numeric-password': (body) => {
      sent.push(body)
      return answer
    },
  })
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={['/settings']}>
        <AuthProvider>
          <Routes>
            <Route element={<RequireUser />}>
              <Route path="/settings" element={<SettingsScreen />} />
            </Route>
            <Route path="*" element={<Place />} />
          </Routes>
        </AuthProvider>
      </MemoryRouter>
      <Toaster />
    </Provider>,
  )
  await screen.findByRole('heading', { level: 1, name: 'Setup Security Password' })
})
afterEach(() => {
  server.restore()
  dismissToast()
})

const button = (name: string) => screen.getByRole('button', { name })
const pin = () => screen.getByLabelText<HTMLInputElement>('Security Password')
const confirmation = () => screen.getByLabelText<HTMLInputElement>('Confirm Security Password')
const described = (element: HTMLElement) =>
  document.getElementById(element.getAttribute('aria-describedby') ?? 'none')?.textContent
const keypad = () => within(screen.getByRole('group', { name: 'Keypad' }))
async function tap(keys: string) {
  for (const key of keys) await userEvent.click(keypad().getByRole('button', { name: key, hidden: true }))
}
const set = () => userEvent.click(button('Set Password & Continue'))
const toastTitled = async (title: string) => (await screen.findByText(title)).closest('li')?.textContent

it('SET-01 SET-02 SET-03: the set-up asks for the number and its repetition on one screen, and explains the unlock', () => {
  expect([pin().value, confirmation().value]).toEqual(['', ''])
  const steps = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(steps).toEqual(['On the calculator, press + while it shows 0.', 'Type your number.', 'Press =.'])
})

it('SET-04 SET-05: the set-up warns that a forgotten number cannot be recovered, and what is lost', () => {
  const warning = screen.getByText('Important').parentElement?.textContent
  expect(warning).toMatch(/Nobody can recover this number/)
  expect(warning).toMatch(/reset the entire app, and\s+all conversations are lost/)
})

it('VAL-06: the fields of the number keep digits only, of every script, typed or pasted', async () => {
  await userEvent.type(pin(), '1a8-1 5')
  expect(pin().value).toBe('1815')
  await userEvent.click(confirmation())
  await userEvent.paste('18 15')
  expect(confirmation().value).toBe('1815')
  await userEvent.clear(confirmation())
  await userEvent.type(confirmation(), '١٨۱۵')
  expect(confirmation().value).toBe('1815')
})

it('VAL-09: a number of thirteen digits stays as it was pasted, and is not set', async () => {
  for (const field of [pin(), confirmation()]) {
    await userEvent.click(field)
    await userEvent.paste('1234567890123')
    expect(field.value).toBe('1234567890123')
  }
  await userEvent.click(screen.getByRole('button', { name: 'Set Password & Continue' }))
  expect(screen.getAllByText('Use at most 12 digits.').length).toBeGreaterThan(0)
  expect(document.activeElement).toBe(pin())
})

it('the fields of the number are no password fields, which a browser would offer to save', () => {
  for (const field of [pin(), confirmation()]) {
    expect(field.type).toBe('text')
    expect(field.autocomplete).toBe('off')
  }
})

it('our keys write into the field that has the focus, at its caret', async () => {
  await tap('181')
  expect(document.activeElement).toBe(pin())
  await userEvent.click(confirmation())
  await tap('95')
  expect([pin().value, confirmation().value]).toEqual(['181', '95'])
  confirmation().setSelectionRange(1, 1)
  await tap('0')
  expect(confirmation().value).toBe('905')
  await userEvent.click(keypad().getByRole('button', { name: 'Delete last digit', hidden: true }))
  expect(confirmation().value).toBe('95')
  expect(document.activeElement).toBe(confirmation())
})

it('VAL-07: an empty number is refused at its field, which gets the focus', async () => {
  await set()
  expect(await toastTitled('Invalid password')).toContain('Password must contain only numbers')
  expect(described(pin())).toBe('Password must contain only numbers')
  expect(document.activeElement).toBe(pin())
  expect(sent).toEqual([])
})

it('a number of three digits is refused at its field', async () => {
  await userEvent.type(pin(), '181')
  await userEvent.type(confirmation(), '181')
  await set()
  expect(described(pin())).toBe('Use at least 4 digits.')
  expect(sent).toEqual([])
})

it('VAL-08 SET-06: a repetition that differs is refused at its field, until it is changed', async () => {
  await userEvent.type(pin(), '1815')
  await userEvent.type(confirmation(), '1816')
  await set()
  expect(await toastTitled("Passwords don't match")).toContain('Please confirm your password')
  expect(described(confirmation())).toBe('Please confirm your password')
  expect(document.activeElement).toBe(confirmation())
  await userEvent.keyboard('{Backspace}5')
  expect(confirmation().getAttribute('aria-invalid')).toBe('false')
  await set()
  await waitFor(() => expect(sent).toEqual([{ numericPassword: '1815', isDiscreet: false }]))
})

it('ERR-35: a set-up that fails says so in a toast and above the button, and keeps the number', async () => {
  answer = { status: 503, body: { ...refusal(503, 'unavailable').body, error: 'Busy. Try again.' } }
  await userEvent.type(pin(), '1815')
  await userEvent.type(confirmation(), '1815')
  await set()
  expect(await toastTitled('Password not set')).toContain('Busy. Try again.')
  expect(button('Set Password & Continue').previousElementSibling?.textContent).toBe('Busy. Try again.')
  expect(pin().value).toBe('1815')
})

async function finishWith(name: string) {
  await userEvent.type(pin(), '1815')
  await userEvent.type(confirmation(), '1815{Enter}')
  const dialog = within(await screen.findByRole('dialog', { name: 'Password Set Successfully!' }))
  await userEvent.click(dialog.getByRole('button', { name }))
  return (await screen.findByTestId('place')).textContent
}

it('SET-08 SET-09: Practice Now leads from the success dialog to the calculator, which guides the first unlock', async () => {
  expect(await finishWith('Practice Now')).toBe('/ {"practice":true}')
})

it('SET-10: Skip - I Got It leads from the success dialog to the calculator', async () => {
  expect(await finishWith('Skip - I Got It')).toBe('/ null')
})

it('STATE-19: the set-up fetches the user again after the number is set, and then opens the success dialog', async () => {
  const calls = () => server.asked.filter((call) => !call.includes('csrf'))
  let showUser: (answer: { status: number; body: unknown }) => void = () => undefined
  server.answers['GET /api/user'] = () => new Promise((resolve) => (showUser = resolve))
  await userEvent.type(pin(), '1815')
  await userEvent.type(confirmation(), '1815{Enter}')
  await waitFor(() =>
    expect(calls().slice(-2)).toEqual(['POST /api/setup-numeric-password', 'GET /api/user']),
  )
  expect(screen.queryByRole('dialog')).toBeNull()
  showUser({ status: 200, body: lockedUser })
  expect(await screen.findByRole('dialog', { name: 'Password Set Successfully!' })).toBeTruthy()
})

it('SET-07: Cancel leads to the calculator, and sets nothing', async () => {
  await userEvent.click(button('Cancel'))
  expect((await screen.findByTestId('place')).textContent).toBe('/ null')
  expect(sent).toEqual([])
})

it('a flight from the set-up leaves no way back to it', async () => {
  act(() => place.cancelSetUp())
  expect((await screen.findByTestId('place')).dataset['came']).toBe('REPLACE')
  expect(sent).toEqual([])
})
