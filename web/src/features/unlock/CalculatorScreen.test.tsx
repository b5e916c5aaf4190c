import { jest } from '@jest/globals'
import { act, fireEvent, render, screen, waitFor, within } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { Provider } from 'react-redux'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router-dom'
import { fakeApi, lockedUser, refusal, unlockedUser } from '../../../test/fake-api.ts'
import { unlockAnswer } from '../../../test/unlock-answer.ts'
import { endLock, leavePage } from '../../../test/leave-page.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { Tooltips } from '../../shared/ui/TipButton.tsx'
import { Toaster } from '../../shared/ui/Toaster.tsx'
import { AuthScreen } from '../auth/AuthScreen.tsx'
import { noKeys } from '../sealed/own-keys.ts'
import type { Session } from '../conversations/open-session.ts'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { forgetDevice, rememberDevice } from '../device/remember-device.ts'
import { sessionApi } from '../session/session-api.ts'
import { RequireUnlocked, RequireUser } from '../session/RequireUser.tsx'
import { importNextScreen } from '../../app/chunks/before-sign-in.ts'
import { CalculatorScreen } from './CalculatorScreen.tsx'
import {
  store,
  page,
  dismissToast,
  toasts as toastStore,
  lock,
  wrongEntries,
  testPage,
} from '../../../test/page.ts'

const verify = 'POST /api/verify-numeric-password'
const right = {
  status: 200,
  body: { ...unlockAnswer, wrongEntries: 2, wrongPasswords: 5 },
}
const { id, username, isSetupComplete, silentCheck, unlockPausedUntil } = lockedUser
/** The server sends these fields to a locked session in discreet mode. */
const reduced = { id, username, isSetupComplete, silentCheck, unlockPausedUntil }
let isUnlocked = false
let server: ReturnType<typeof fakeApi>

/** A session that can only be flushed. */
const flushedBy = (flush: () => Promise<void>) => ({ flush, close: () => undefined }) as unknown as Session

beforeEach(() => {
  localStorage.setItem('calc.terms', '1')
  rememberDevice(false)
  isUnlocked = false
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: isUnlocked ? unlockedUser : lockedUser }),
    'POST /api/lock': () => {
      isUnlocked = false
      return { status: 200 }
    },
    [verify]: (body) => {
      if ((body as { numericPassword: string }).numericPassword !== '1815') return refusal(403, 'wrong_pin')
      isUnlocked = true
      return right
    },
  })
})
afterEach(async () => {
  server.answers['POST /api/lock'] = () => ({ status: 200 })
  await act(endLock)
  server.restore()
  forgetDevice()
  testPage.unlocked = null
  testPage.holdsSecrets = false
})

function open(state: unknown = null) {
  const inside = <RequireUser />
  const router = createMemoryRouter(
    [
      {
        element: (
          <AuthProvider>
            <Tooltips>
              <Outlet />
            </Tooltips>
            <Toaster />
          </AuthProvider>
        ),
        children: [
          { path: '/', element: <CalculatorScreen importNext={importNextScreen} /> },
          { path: '/auth', element: <AuthScreen /> },
          { path: '/settings', element: <p>Settings</p> },
          {
            element: inside,
            children: [
              { element: <RequireUnlocked />, children: [{ path: '/messaging', element: <p>Behind</p> }] },
            ],
          },
        ],
      },
    ],
    { initialEntries: [{ pathname: '/', state }] },
  )
  const view = render(
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>,
  )
  return { router, ...view }
}

const press = async (keys: string) => {
  for (const key of keys) await userEvent.click(screen.getByRole('button', { name: key }))
}
const userKnown = () => waitFor(() => expect(server.asked).toContain('GET /api/user'))
const passwordMode = () => screen.queryByText('Enter Password')
const tries = () => server.asked.filter((call) => call === verify)

describe('an entry in password mode', () => {
  it('is checked once when = is pressed twice, and the second press is not reported as wrong', async () => {
    let answer: (value: { status: number; body?: unknown }) => void = () => undefined
    server.answers[verify] = () => {
      isUnlocked = true
      return new Promise((resolve) => (answer = resolve))
    }
    open()
    await userKnown()
    await press('+1815==')
    await waitFor(() => expect(tries()).toHaveLength(1))
    expect(screen.getByRole('status', { name: 'Entry' }).getAttribute('aria-busy')).toBe('true')
    await press('9')
    expect(screen.getByRole('status', { name: 'Entry' }).textContent).toContain('4 digits')
    expect(screen.queryByText('Invalid Password')).toBeNull()
    answer(right)
    expect(await screen.findByText('Behind')).toBeTruthy()
    expect(screen.queryByText('Invalid Password')).toBeNull()
    expect(tries()).toHaveLength(1)
  })

  it('shakes the display when it is wrong, but not on a device in discreet mode', async () => {
    const animate = jest.spyOn(Element.prototype, 'animate')
    const { unmount } = open()
    await userKnown()
    await press('+1819')
    expect(animate).not.toHaveBeenCalled()
    await press('=')
    await waitFor(() => expect(animate).toHaveBeenCalledTimes(1))
    unmount()
    document.cookie = 'v=2; path=/'
    server.answers['GET /api/user'] = () => ({ status: 200, body: reduced })
    store.dispatch({ type: 'api/resetApiState' })
    open()
    await press('+1819=')
    await waitFor(() => expect(screen.queryByText('••••')).toBeNull())
    expect(animate).toHaveBeenCalledTimes(1)
    animate.mockRestore()
  })

  it('D-27: takes no line of the tape, and the tape outlives it', async () => {
    open()
    await userKnown()
    await press('C1')
    await userEvent.keyboard('+5{Enter}{Escape}')
    await press('+18')
    await userEvent.click(screen.getByText('1 + 5 ='))
    expect(screen.getByRole('status', { name: 'Entry' }).textContent).toContain('2 digits')
    await press('15=')
    expect(await screen.findByText('Behind')).toBeTruthy()
    expect(localStorage.getItem('calc.h')).toContain('1 + 5')
    localStorage.removeItem('calc.h')
  })

  it('STATE-16 STATE-17: is reported as wrong and cleared when the server refuses it', async () => {
    open()
    await userKnown()
    await press('+1819=')
    expect(await screen.findByText('Invalid Password')).toBeTruthy()
    expect(screen.getByText('Please try again')).toBeTruthy()
    expect(screen.getByRole('status', { name: 'Entry' }).textContent).toContain('0 digits')
  })

  it('STATE-06 STATE-14 STATE-15: leaves password mode when it is right, fetches the user 100 ms later, and opens the messages 200 ms after that', async () => {
    const { router } = open()
    await userKnown()
    const events: [string, number][] = []
    const note = (event: string) => void events.push([event, performance.now()])
    server.answers[verify] = () => {
      note('right')
      isUnlocked = true
      // Timers run in the order of their due times, however late they are.
      window.setTimeout(() => note('600 ms after it was right'), 600)
      return right
    }
    server.answers['GET /api/user'] = () => {
      note(passwordMode() ? 'fetch in password mode' : 'fetch')
      return { status: 200, body: unlockedUser }
    }
    const stop = router.subscribe(({ location }) => note(location.pathname))
    await press('+1815=')
    expect(await screen.findByText('Behind')).toBeTruthy()
    stop()
    const names = events.map(([name]) => name)
    expect(names).toEqual(['right', 'fetch', '/messaging'])
    const [begun = 0, fetched = 0, opened = 0] = events.map(([, at]) => at)
    // A timer may fire slightly early.
    expect(fetched - begun).toBeGreaterThan(95)
    expect(opened - fetched).toBeGreaterThan(195)
  })

  it.each<[string, Answer]>([
    ['fails', refusal(503, 'unavailable')],
    ['never comes', new Promise(() => undefined)],
    ['finds no network', 'no connection'],
  ])('opens the messages when it is right while the answer to GET /api/user %s', async (_how, answer) => {
    server.answers['GET /api/user'] = () => answer
    const { router } = open()
    await userKnown()
    await press('+1815=')
    await waitFor(() => expect(router.state.location.pathname).toBe('/messaging'), { timeout: 5000 })
    server.answers['GET /api/user'] = () => ({ status: 200, body: unlockedUser })
    if (answer instanceof Promise) {
      await waitFor(() => expect(screen.queryByRole('button', { name: '1' })).toBeNull())
      expect(server.asked).not.toContain('POST /api/lock')
      return
    }
    await userEvent.click(await screen.findByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Behind')).toBeTruthy()
    expect(router.state.location.pathname).toBe('/messaging')
  })

  it('ignores an answer about the user that was requested before it was right', async () => {
    let answerLate: (value: { status: number; body?: unknown }) => void = () => undefined
    let count = 0
    server.answers['GET /api/user'] = () => {
      count += 1
      if (count > 1) return { status: 200, body: isUnlocked ? unlockedUser : lockedUser }
      return new Promise((resolve) => (answerLate = resolve))
    }
    open()
    await userKnown()
    await press('+1815=')
    await waitFor(() => expect(count).toBeGreaterThan(1))
    answerLate({ status: 200, body: lockedUser })
    expect(await screen.findByText('Behind')).toBeTruthy()
    expect(server.asked).not.toContain('POST /api/lock')
  })

  it('is not locked by an answer about the user that arrives while it is checked', async () => {
    const answers: ((value: { status: number; body?: unknown }) => void)[] = []
    const later = () => new Promise<{ status: number; body?: unknown }>((resolve) => answers.push(resolve))
    server.answers['GET /api/user'] = () =>
      answers.length === 0 ? later() : { status: 200, body: unlockedUser }
    server.answers[verify] = later
    open()
    await userKnown()
    await press('+1815=')
    await waitFor(() => expect(tries()).toHaveLength(1))
    answers[0]?.({ status: 200, body: unlockedUser })
    const getUser = sessionApi.endpoints.getUser.select(undefined)
    await waitFor(() => expect(getUser(store.getState()).data).toBeTruthy())
    answers[1]?.(right)
    expect(await screen.findByText('Behind')).toBeTruthy()
    expect(server.asked).not.toContain('POST /api/lock')
  })

  it('stays, with a toast about the connection, when there is none', async () => {
    server.answers[verify] = () => 'no connection'
    open()
    await userKnown()
    await press('+1815=')
    expect(await screen.findByText('No connection')).toBeTruthy()
    expect(screen.getByText('Please try again')).toBeTruthy()
    expect(screen.getByRole('status', { name: 'Entry' }).textContent).toContain('4 digits')
  })

  it('locks a session again that an attempt without an answer may have unlocked', async () => {
    server.answers[verify] = () => {
      isUnlocked = true
      return 'no connection'
    }
    open()
    await userKnown()
    await press('+1815=')
    await waitFor(() => expect(server.asked).toContain('POST /api/lock'))
    expect(isUnlocked).toBe(false)
  })

  it('is not checked before an owed lock is settled', async () => {
    server.answers['POST /api/lock'] = () => 'no connection'
    open()
    await userKnown()
    lock.dispatch('lost')
    await press('+1815=')
    expect(await screen.findByText('No connection')).toBeTruthy()
    expect(tries()).toHaveLength(0)
    server.answers['POST /api/lock'] = () => ({ status: 200 })
    await press('=')
    expect(await screen.findByText('Behind')).toBeTruthy()
    expect(server.asked.lastIndexOf('POST /api/lock')).toBeLessThan(server.asked.indexOf(verify))
  })

  it('leads to /auth when the session has expired, known before the entry or from its answer', async () => {
    server.answers['GET /api/user'] = () => refusal(401, 'unauthenticated')
    const { router, unmount } = open()
    await userKnown()
    await press('+1815=')
    await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
    expect(tries()).toHaveLength(0)
    unmount()
    server.answers['GET /api/user'] = () => ({ status: 200, body: lockedUser })
    server.answers[verify] = () => refusal(401, 'unauthenticated')
    store.dispatch({ type: 'api/resetApiState' })
    const again = open()
    await press('+1815=')
    expect(await screen.findByRole('tab', { name: 'Sign In' })).toBeTruthy()
    expect(again.router.state.location.pathname).toBe('/auth')
  })
})

describe('digits and = outside password mode', () => {
  it('are checked once when = is pressed twice, and open the messages', async () => {
    open()
    await userKnown()
    await press('1815==')
    expect(await screen.findByText('Behind')).toBeTruthy()
    expect(tries()).toHaveLength(1)
  })

  it('STATE-18: show nothing at all when they are wrong', async () => {
    act(dismissToast)
    const toasts: unknown[] = []
    const stop = toastStore.subscribe(() => toasts.push(toastStore.get()))
    open()
    await userKnown()
    await press('1819=')
    await waitFor(() => expect(tries()).toHaveLength(1))
    // The second entry is checked only when the check of the first one has ended.
    await press('C1818=')
    await waitFor(() => expect(tries()).toHaveLength(2))
    await press('C')
    expect(toasts).toEqual([])
    expect(screen.queryByRole('alert')).toBeNull()
    stop()
  })

  it('do not block an entry in password mode while they are checked', async () => {
    const answers: ((value: Answer) => void)[] = []
    server.answers[verify] = () => new Promise((resolve) => answers.push(resolve as (value: Answer) => void))
    open()
    await userKnown()
    await press('1819=C+1815=')
    await waitFor(() => expect(answers).toHaveLength(1))
    answers[0]?.(refusal(403, 'wrong_pin'))
    await waitFor(() => expect(answers).toHaveLength(2))
    isUnlocked = true
    answers[1]?.(right)
    expect(await screen.findByText('Behind')).toBeTruthy()
  })
})

it('the calculator starts in password mode when another screen requests it, but not after a reload', async () => {
  const { router, unmount } = open({ passwordMode: true })
  expect(passwordMode()).toBeTruthy()
  await waitFor(() => expect(router.state.location.state).toBeNull())
  expect(passwordMode()).toBeTruthy()
  unmount()
  open(router.state.location.state)
  expect(passwordMode()).toBeNull()
})

it('the calculator guides a practice through +, the number and =, and forgets it at a reload', async () => {
  const { router, unmount } = open({ practice: true })
  await userKnown()
  const coach = within(await screen.findByRole('complementary', { name: 'Practice' }))
  const says = () => coach.getByRole('status').textContent
  expect(says()).toBe('Step 1 of 3Press + while the display shows 0.')
  await press('+')
  expect(says()).toBe('Step 2 of 3Type your number.')
  await press('1')
  expect(says()).toBe('Step 3 of 3Press =.')
  await userEvent.click(coach.getByRole('button', { name: 'Stop practicing' }))
  expect(screen.queryByRole('complementary')).toBeNull()
  unmount()
  open(router.state.location.state)
  expect(screen.queryByRole('complementary')).toBeNull()
})

it('the calculator shows the texts of toasts in the practice card while there is one, each for 5 s, and in toasts after it', async () => {
  open({ practice: true })
  await userKnown()
  const coach = await screen.findByRole('complementary', { name: 'Practice' })
  jest.useFakeTimers()
  fireEvent.click(screen.getByRole('button', { name: '+' }))
  expect(coach.textContent).toContain('Password Mode: Enter your numeric password')
  expect(toastStore.get()).toBeNull()
  act(() => jest.advanceTimersByTime(5000))
  expect(coach.textContent).not.toContain('Password Mode')
  jest.useRealTimers()
  await press('9999=')
  await waitFor(() => expect(coach.textContent).toContain('Invalid Password. Please try again'))
  expect(within(coach).getByRole('status').textContent).toBe('Step 2 of 3Type your number.')
  expect(toastStore.get()).toBeNull()
  await userEvent.click(within(coach).getByRole('button', { name: 'Stop practicing' }))
  await press('C+')
  expect(toastStore.get()?.title).toBe('Password Mode: Enter your numeric password')
})

it('the calculator names the password mode in a toast', async () => {
  open()
  await userKnown()
  await press('+')
  expect(await screen.findByText('Password Mode: Enter your numeric password')).toBeTruthy()
  await press('C')
})

it('the calculator keeps the key for unsent text from the answer of the unlock, instead of an earlier one', async () => {
  open()
  await waitFor(() => expect(localStorage.getItem('calc.l')).toBeNull())
  testPage.unlocked = { userId: 'u1', outboxKey: 'of an earlier unlock', keys: Promise.resolve(noKeys) }
  await press('+1815=')
  expect(await screen.findByText('Behind')).toBeTruthy()
  expect(testPage.unlocked?.outboxKey).toBe('k')
})

it('the calculator fetches the list beside the user, after the number was right', async () => {
  server.answers['GET /api/csrf-token'] = () => ({ status: 200, body: { csrfToken: 'token' } })
  open()
  await userKnown()
  const before = server.asked.length
  await press('+1815=')
  expect(await screen.findByText('Behind')).toBeTruthy()
  expect(server.asked.slice(before)).toEqual([
    'GET /api/csrf-token',
    verify,
    'GET /api/conversations',
    'GET /api/user',
  ])
})

it('the calculator keeps the counts of wrong entries and passwords from the answer of the unlock', async () => {
  open()
  await userKnown()
  await press('+1815=')
  await waitFor(() => expect(wrongEntries.get()).toMatchObject({ wrongEntries: 2, wrongPasswords: 5 }))
})

it('the calculator waits for the whole user when discreet mode was turned on elsewhere, and opens the messages', async () => {
  const whole = { ...unlockedUser, isDiscreet: true }
  server.answers['GET /api/user'] = () => ({ status: 200, body: isUnlocked ? whole : reduced })
  open()
  await waitFor(() => expect(document.cookie).toContain('v=2'))
  // The account decides, not the cookie: this cookie is set as if the correction had been refused.
  document.cookie = 'v=1; path=/'
  await press('+1815=')
  expect(await screen.findByText('Behind')).toBeTruthy()
  expect(server.asked).not.toContain('POST /api/lock')
})

it('CALC-09: the calculator leads a person whose set-up is not finished to /settings', async () => {
  server.answers['GET /api/user'] = () => ({ status: 200, body: { ...lockedUser, isSetupComplete: false } })
  const { router } = open()
  await waitFor(() => expect(router.state.location.pathname).toBe('/settings'))
})

it('STATE-13: the hint that = unlocks stays for 8000 ms', async () => {
  server.answers['GET /api/user'] = () => ({ status: 200, body: { ...lockedUser, silentCheck: true } })
  server.answers[verify] = () => ({ status: 200, body: { hint: true } })
  open()
  await userKnown()
  await press('1815')
  expect(await screen.findByText('Hint: Press = to Unlock')).toBeTruthy()
  expect(toastStore.get()).toMatchObject({ title: 'Hint: Press = to Unlock', durationMs: 8000 })
})

it('CALC-07: Settings in the side menu of the calculator leads to /settings', async () => {
  const { router } = open()
  await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
  await userEvent.click(screen.getByRole('button', { name: 'Settings' }))
  expect(router.state.location.pathname).toBe('/settings')
})

it('the calculator sends no request on a device without the marker, and + is plus', async () => {
  forgetDevice()
  open()
  await press('+1815=')
  await press('C+')
  expect(passwordMode()).toBeNull()
  expect(server.asked).toEqual([])
})

describe('arriving at the calculator', () => {
  it('locks an unlocked session, by a call that outlives the page', async () => {
    isUnlocked = true
    open()
    await waitFor(() => expect(server.keptAlive).toEqual(['POST /api/lock']))
    expect(isUnlocked).toBe(false)
  })

  it('sends no lock when the session is locked, and leaves no record', async () => {
    open()
    await waitFor(() => expect(localStorage.getItem('calc.l')).toBeNull())
    expect(server.asked).toEqual(['GET /api/user'])
  })

  it('records a lock when the page is left before the server has answered whether it is unlocked', () => {
    server.answers['GET /api/user'] = () => new Promise(() => undefined)
    open()
    expect(localStorage.getItem('calc.l')).toBe('1')
  })

  it('locks a session that turns out to be unlocked later, when nothing was entered here', async () => {
    open()
    await waitFor(() => expect(localStorage.getItem('calc.l')).toBeNull())
    isUnlocked = true
    const options = { forceRefetch: true, subscribe: false }
    act(() => void store.dispatch(sessionApi.endpoints.getUser.initiate(undefined, options)))
    await waitFor(() => expect(isUnlocked).toBe(false))
  })

  it('records a lock when the server does not answer whether the session is unlocked', async () => {
    isUnlocked = true
    server.answers['GET /api/user'] = () => refusal(503, 'unavailable')
    open()
    await waitFor(() => expect(isUnlocked).toBe(false))
  })
})

// These two tests come last, because a page that is being replaced cannot be used again.
it('the calculator replaces the page when it is locked between the right number and the list', async () => {
  const replaced = jest.spyOn(page, 'replace').mockImplementation(() => undefined)
  open()
  await userKnown()
  let answer: (value: { status: number }) => void = () => undefined
  server.answers['GET /api/user'] = () => new Promise((resolve) => (answer = resolve))
  await press('+1815=')
  await waitFor(() => expect(server.asked).toContain('GET /api/conversations'))
  expect(replaced).not.toHaveBeenCalled()
  await act(leavePage)
  expect(replaced.mock.calls).toEqual([['/']])
  replaced.mockRestore()
  answer({ status: 401 })
})

it('the calculator does not send a number while a lock is about to replace the page', async () => {
  const replaced: string[] = []
  const realReplace = page.replace
  page.replace = (address) => void replaced.push(address)
  testPage.holdsSecrets = true
  let flushed: () => void = () => undefined
  testPage.session = flushedBy(() => new Promise((resolve) => (flushed = resolve)))
  open()
  await waitFor(() => expect(replaced).toEqual(['/']))
  expect(tries()).toHaveLength(0)
  const locked = leavePage()
  await press('+1815=')
  expect(tries()).toHaveLength(0)
  flushed()
  await act(() => locked)
  expect(replaced).toEqual(['/', '/'])
  expect(tries()).toHaveLength(0)
  page.replace = realReplace
})
