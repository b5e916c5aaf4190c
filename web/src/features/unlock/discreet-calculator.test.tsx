import { act, render, screen, waitFor, within } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { Provider } from 'react-redux'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router-dom'
import { fakeApi, lockedUser, refusal, unlockedUser } from '../../../test/fake-api.ts'
import { unlockAnswer } from '../../../test/unlock-answer.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { endLock } from '../../../test/leave-page.ts'
import { Toaster } from '../../shared/ui/Toaster.tsx'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { forgetDevice, rememberDevice } from '../device/remember-device.ts'
import { RequireUnlocked } from '../session/RequireUser.tsx'
import { importNextScreen } from '../../app/chunks/before-sign-in.ts'
import { CalculatorScreen } from './CalculatorScreen.tsx'
import { store, dismissToast, toasts as toastStore, preferences, lock, testPage } from '../../../test/page.ts'

const verify = 'POST /api/verify-numeric-password'
const { id, username, isSetupComplete, silentCheck, unlockPausedUntil } = lockedUser
const reduced = { id, username, isSetupComplete, silentCheck, unlockPausedUntil }
const whole = { ...unlockedUser, isDiscreet: true }
let isUnlocked = false
let server: ReturnType<typeof fakeApi>
const sent: unknown[] = []
const toasts: unknown[] = []
let stopWatching: () => void

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('calc.terms', '1')
  preferences.change({ keepsHistory: true })
  rememberDevice(true)
  isUnlocked = false
  sent.length = 0
  act(dismissToast)
  toasts.length = 0
  stopWatching = toastStore.subscribe(() => {
    const shown = toastStore.get()
    if (shown) toasts.push(shown)
  })
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: isUnlocked ? whole : reduced }),
    'POST /api/lock': () => {
      isUnlocked = false
      return { status: 200 }
    },
    [verify]: (body) => {
      sent.push(body)
      if ((body as { numericPassword: string }).numericPassword !== '1815') return refusal(403, 'wrong_pin')
      isUnlocked = true
      return { status: 200, body: unlockAnswer }
    },
  })
})
afterEach(async () => {
  stopWatching()
  server.answers['POST /api/lock'] = () => ({ status: 200 })
  await act(endLock)
  server.restore()
  forgetDevice()
  testPage.unlocked = null
  testPage.holdsSecrets = false
})

async function open(state: unknown = null) {
  const router = createMemoryRouter(
    [
      {
        element: (
          <AuthProvider>
            <Outlet />
            <Toaster />
          </AuthProvider>
        ),
        children: [
          { path: '/', element: <CalculatorScreen importNext={importNextScreen} /> },
          { path: '/auth', element: <p>Sign in</p> },
          { path: '/settings', element: <p>Settings</p> },
          {
            element: <RequireUnlocked />,
            children: [{ path: '/messaging', element: <p>Behind</p> }],
          },
        ],
      },
    ],
    { initialEntries: [{ pathname: '/', state }] },
  )
  render(
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>,
  )
  await waitFor(() => expect(server.asked).toContain('GET /api/user'))
  return router
}

const press = async (keys: string) => {
  for (const key of keys) await userEvent.click(screen.getByRole('button', { name: key }))
}
const result = () => screen.getByRole('status', { name: 'Result' }).textContent
const tape = () => screen.queryByRole('region', { name: 'History' })?.textContent ?? ''
const tries = () => server.asked.filter((call) => call === verify)

it('in discreet mode + at 0 begins a sum whose digits show', async () => {
  await open()
  await press('+')
  expect(result()).toBe('0')
  expect(screen.getByRole('button', { pressed: true }).textContent).toBe('+')
  await press('5')
  expect(result()).toBe('5')
  expect(screen.getByText('0 +')).toBeTruthy()
  await press('678')
  expect(result()).toBe('5,678')
  expect(screen.queryByText('•')).toBeNull()
  expect(server.asked).not.toContain(verify)
})

const answers: [name: string, answer: Answer][] = [
  ['a wrong number', refusal(403, 'wrong_pin')],
  ['no connection', 'no connection'],
  ['an expired session', refusal(401, 'unauthenticated')],
  ['a busy server', refusal(503, 'unavailable')],
  ['a server that never answers', new Promise(() => undefined)],
]
it.each(answers)('in discreet mode %s shows the sum and nothing else', async (_name, answer) => {
  const router = await open()
  server.answers[verify] = () => answer
  await press('+1819')
  const before = document.body.innerHTML
  expect(before).toContain('1,819')
  await press('=')
  await waitFor(() => expect(tries()).toHaveLength(1))
  expect(result()).toBe('1,819')
  await press('C')
  expect(result()).toBe('0')
  expect([tape(), localStorage.getItem('calc.h')]).toEqual(['', null])
  expect(toasts).toEqual([])
  expect(document.querySelector('[aria-busy="true"], [role="alert"]')?.textContent ?? '').toBe('')
  expect(router.state.location.pathname).toBe('/')
})

it('in discreet mode a number without a connection at all shows the sum and nothing else', async () => {
  await open()
  for (const call of Object.keys(server.answers)) server.answers[call] = () => 'no connection'
  act(() => lock.dispatch('lost'))
  await press('+1815=')
  expect(result()).toBe('1,815')
  await act(async () => void (await lock.settle()))
  expect(result()).toBe('1,815')
  expect([tape(), toasts]).toEqual(['', []])
})

it('in discreet mode + and the right number open the messages, by the way that is never called wrong', async () => {
  await open()
  await press('+1815=')
  expect(await screen.findByText('Behind')).toBeTruthy()
  expect(sent).toEqual([{ numericPassword: '1815', entry: 'password-mode' }])
  expect(toasts).toEqual([])
})

it('in discreet mode a right number counts although a wrong one before it is still being checked', async () => {
  const open_: ((answer: { status: number; body?: unknown }) => void)[] = []
  const right = server.answers[verify]
  await open()
  server.answers[verify] = () => new Promise((resolve) => open_.push(resolve))
  await press('+1819=C+1815=')
  await waitFor(() => expect(open_).toHaveLength(1))
  server.answers[verify] = right as () => Answer
  open_[0]?.(refusal(403, 'wrong_pin'))
  expect(await screen.findByText('Behind')).toBeTruthy()
})

it('in discreet mode another screen that requests password mode gets the calculator', async () => {
  await open({ passwordMode: true })
  expect(result()).toBe('0')
  await press('7×6=')
  expect(result()).toBe('42')
})

it('in discreet mode the practice follows the sum', async () => {
  await open({ practice: true })
  const coach = within(await screen.findByRole('complementary', { name: 'Practice' }))
  const says = () => coach.getByRole('status').textContent
  expect(says()).toContain('Press + while the display shows 0.')
  await press('+')
  expect(says()).toContain('Type your number.')
  await press('1')
  expect(says()).toContain('Press =.')
  await press('815=')
  expect(await screen.findByText('Behind')).toBeTruthy()
})

it('in discreet mode the whole user decides: without it nothing opens, and the sum stays', async () => {
  const router = await open()
  server.answers['GET /api/user'] = () => (isUnlocked ? 'no connection' : { status: 200, body: reduced })
  await press('+1815=')
  await waitFor(() => expect(server.asked).toContain('POST /api/lock'))
  expect(result()).toBe('1,815')
  expect([router.state.location.pathname, toasts]).toEqual(['/', []])
  expect(server.asked).not.toContain('GET /api/conversations')
  expect(testPage.unlocked).toBeNull()
})

it('in discreet mode the wait for the whole user ends after five seconds, and the session is locked again', async () => {
  await open()
  server.answers['GET /api/user'] = () =>
    isUnlocked ? new Promise(() => undefined) : { status: 200, body: reduced }
  await press('+1815=')
  await waitFor(() => expect(isUnlocked).toBe(true))
  await waitFor(() => expect(isUnlocked).toBe(false), { timeout: 7000 })
  expect(toasts).toEqual([])
}, 10_000)

it('the calculator of a locked account in discreet mode leads to no set-up after a reset', async () => {
  server.answers['GET /api/user'] = () => ({ status: 200, body: { ...reduced, isSetupComplete: false } })
  const router = await open()
  await waitFor(() => expect(localStorage.getItem('calc.l')).toBeNull())
  expect(router.state.location.pathname).toBe('/')
})
