import { jest } from '@jest/globals'
import { act, cleanup, render, screen, waitFor } from '../../../test/render.tsx'
import { Provider } from 'react-redux'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { fakeApi, lockedUser, refusal, unlockedUser } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { endLock, leavePage } from '../../../test/leave-page.ts'
import { useAuth } from './auth-context.ts'
import { AuthProvider } from './AuthProvider.tsx'
import { isKnownDevice } from '../device/known-device.ts'
import { forgetDevice, rememberDevice } from '../device/remember-device.ts'
import { RequireUnlocked, RequireUser } from './RequireUser.tsx'
import { LockGate } from './LockGate.tsx'
import type { Session } from '../conversations/open-session.ts'
import { LockWatch } from './LockWatch.tsx'
import { request, store, page, place, lock, testPage } from '../../../test/page.ts'

const replaced: string[] = []
const realReplace = page.replace
let server: ReturnType<typeof fakeApi>
let isOnLine = true
Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => isOnLine })

/** A session that can only be flushed. */
const flushedBy = (flush: () => Promise<void>) => ({ flush, close: () => undefined }) as unknown as Session

beforeEach(() => {
  replaced.length = 0
  page.replace = (address) => void replaced.push(address)
  isOnLine = true
  testPage.holdsSecrets = true
  rememberDevice(false)
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: unlockedUser }),
    'POST /api/lock': () => ({ status: 200 }),
    'GET /api/conversations': () => ({ status: 200, body: [] }),
  })
})
afterEach(async () => {
  server.answers['POST /api/lock'] = () => ({ status: 200 })
  await act(endLock)
  server.restore()
  page.replace = realReplace
  forgetDevice()
})

function Settings() {
  const { logout } = useAuth()
  return (
    <>
      <p>Settings</p>
      <button onClick={() => void logout()}>Logout</button>
    </>
  )
}

function open(path: string) {
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={[path]}>
        <AuthProvider>
          <Routes>
            <Route path="/" element={<p>Calculator</p>} />
            <Route
              path="*"
              element={
                <LockGate>
                  <LockWatch>
                    <Routes>
                      <Route path="/auth" element={<p>Sign in</p>} />
                      <Route element={<RequireUser />}>
                        <Route path="/settings" element={<Settings />} />
                        <Route element={<RequireUnlocked />}>
                          <Route path="/messaging" element={<p>Behind</p>} />
                        </Route>
                      </Route>
                    </Routes>
                  </LockWatch>
                </LockGate>
              }
            />
          </Routes>
        </AuthProvider>
      </MemoryRouter>
    </Provider>,
  )
}

describe('a lock that cannot be sent', () => {
  it('removes the open screen at once, is recorded first, and keeps everything closed until it is settled', async () => {
    open('/messaging')
    expect(await screen.findByText('Behind')).toBeTruthy()
    server.answers['POST /api/lock'] = () => 'no connection'
    let recordWhileFlushing: string | null = null
    testPage.session = flushedBy(() => {
      recordWhileFlushing = localStorage.getItem('calc.l')
      return Promise.resolve()
    })
    await act(leavePage)
    expect(screen.getByText('Calculator')).toBeTruthy()
    expect(recordWhileFlushing).toBe('1')
    expect(localStorage.getItem('calc.l')).toBe('1')
  })

  it.each(['/messaging', '/settings'])('closes %s', async (path) => {
    open(path)
    await screen.findByText(path === '/settings' ? 'Settings' : 'Behind')
    server.answers['POST /api/lock'] = () => 'no connection'
    await act(leavePage)
    expect(screen.getByText('Calculator')).toBeTruthy()
  })

  it('replaces the page without waiting for a missing answer: the next page sends the lock', async () => {
    open('/messaging')
    await screen.findByText('Behind')
    let answer: (value: { status: number }) => void = () => undefined
    server.answers['POST /api/lock'] = () => new Promise((resolve) => (answer = resolve))
    act(() => void leavePage())
    await waitFor(() => expect(replaced).toEqual(['/']))
    expect(localStorage.getItem('calc.l')).toBe('1')
    answer({ status: 200 })
  })

  it('replaces the page only when the calculator can be loaded, never by an error page of the browser', async () => {
    open('/messaging')
    await screen.findByText('Behind')
    isOnLine = false
    server.answers['POST /api/lock'] = () => 'no connection'
    await act(leavePage)
    expect(replaced).toEqual([])
    isOnLine = true
    server.answers['POST /api/lock'] = () => ({ status: 200 })
    await act(async () => void (await lock.settle()))
    expect(replaced).toEqual(['/'])
  })

  it('keeps everything closed while the next page sends it, then opens the requested address', async () => {
    let answer: (value: { status: number }) => void = () => undefined
    server.answers['POST /api/lock'] = () => new Promise((resolve) => (answer = resolve))
    lock.dispatch('lost')
    const settled = lock.settle()
    await waitFor(() => expect(server.asked).toContain('POST /api/lock'))
    open('/auth')
    expect(screen.queryByText('Sign in')).toBeNull()
    answer({ status: 200 })
    await act(async () => void (await settled))
    expect(await screen.findByText('Sign in')).toBeTruthy()
  })

  it('is sent before the user is fetched, while the calculator is shown', async () => {
    server.answers['POST /api/lock'] = () => 'no connection'
    lock.dispatch('lost')
    await lock.settle()
    place.loadInside()
    open('/messaging')
    expect(screen.getByText('Calculator')).toBeTruthy()
    expect(server.asked).not.toContain('GET /api/user')
    server.answers['POST /api/lock'] = () => ({ status: 200 })
    await act(async () => void (await lock.settle()))
    await waitFor(() => expect(server.asked).toContain('GET /api/user'))
    expect(server.asked.indexOf('POST /api/lock')).toBeLessThan(server.asked.indexOf('GET /api/user'))
    expect(screen.getByText('Calculator')).toBeTruthy()
  })
})

describe('a page that was loaded behind the calculator', () => {
  beforeEach(() => place.loadInside())
  afterEach(() => {
    jest.restoreAllMocks()
    place.enter('calculator')
  })
  const goesToCalculator = async () => {
    expect(await screen.findByText('Calculator')).toBeTruthy()
    expect(localStorage.getItem('calc.l')).toBe('1')
    expect(screen.queryByText('No connection')).toBeNull()
  }

  it.each<[string, Answer]>([
    ['without a connection', 'no connection'],
    ['when the server fails', refusal(503, 'unavailable')],
  ])(
    'goes to the calculator %s, owes a lock, and shows nothing when the server is back',
    async (_name, answer) => {
      server.answers['GET /api/user'] = () => answer
      server.answers['POST /api/lock'] = () => 'no connection'
      open('/messaging')
      await goesToCalculator()
      server.answers['GET /api/user'] = () => ({ status: 200, body: unlockedUser })
      server.answers['POST /api/lock'] = () => ({ status: 200 })
      await act(async () => void (await lock.settle()))
      expect(server.asked).toContain('POST /api/lock')
      expect(screen.queryByText('Behind')).toBeNull()
    },
  )

  it('goes to the calculator four seconds after its load when the server is silent', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(3800)
    server.answers['GET /api/user'] = () => new Promise(() => undefined)
    server.answers['POST /api/lock'] = () => 'no connection'
    open('/settings')
    expect(screen.queryByText('Calculator')).toBeNull()
    await goesToCalculator()
  })

  it('stays when the server says that it is open', async () => {
    open('/messaging')
    expect(await screen.findByText('Behind')).toBeTruthy()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(screen.getByText('Behind')).toBeTruthy()
    expect(localStorage.getItem('calc.l')).toBeNull()
  })
})

it('leads to the calculator when Back returns to a screen while a lock is owed; a tap on Settings keeps its card', async () => {
  server.answers['POST /api/lock'] = () => 'no connection'
  lock.dispatch('lost')
  await lock.settle()
  open('/messaging')
  expect(await screen.findByText('Calculator')).toBeTruthy()
  cleanup()
  open('/settings')
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeTruthy()
  act(() => screen.getByRole('button', { name: 'Back to the calculator' }).click())
  expect(await screen.findByText('Calculator')).toBeTruthy()
})

it('locks this tab when another one did', async () => {
  open('/messaging')
  await screen.findByText('Behind')
  const otherTab = new BroadcastChannel('calc')
  otherTab.postMessage('lock')
  await waitFor(() => expect(screen.getByText('Calculator')).toBeTruthy())
  expect(replaced).toEqual(['/'])
  otherTab.close()
})

describe('a session that ended elsewhere', () => {
  it.each([
    ['1', '/auth'],
    ['2', '/'],
  ])('replaces its open screen at the first 401: with the marker %s by %s', async (marker, address) => {
    const isDiscreet = marker === '2'
    server.answers['GET /api/user'] = () => ({ status: 200, body: { ...unlockedUser, isDiscreet } })
    open('/messaging')
    await screen.findByText('Behind')
    server.answers['GET /api/conversations'] = () => refusal(401, 'unauthenticated')
    await request({ url: '/api/conversations' })
    expect(replaced).toEqual([address])
  })

  it('redirects a protected address to /auth with and without the device marker', async () => {
    document.cookie = 'v=2; path=/'
    server.answers['GET /api/user'] = () => refusal(401, 'unauthenticated')
    open('/settings')
    expect(await screen.findByText('Sign in')).toBeTruthy()
    expect(replaced).toEqual([])
  })
})

it('offers Retry instead of a protected screen while the server answers 503, and never redirects to /auth', async () => {
  server.answers['GET /api/user'] = () => refusal(503, 'unavailable')
  open('/settings')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  server.answers['GET /api/user'] = () => ({ status: 200, body: lockedUser })
  act(() => retry.click())
  expect(await screen.findByText('Settings')).toBeTruthy()
})

it('removes the device marker at a logout', async () => {
  server.answers['POST /api/logout'] = () => ({ status: 200 })
  open('/settings')
  await screen.findByText('Settings')
  act(() => screen.getByRole('button', { name: 'Logout' }).click())
  await waitFor(() => expect(isKnownDevice()).toBe(false))
})

it('loads the user at every address except the calculator, also without the device marker', async () => {
  forgetDevice()
  server.answers['GET /api/user'] = () => refusal(401, 'unauthenticated')
  open('/settings')
  expect(await screen.findByText('Sign in')).toBeTruthy()
  expect(server.asked).toEqual(['GET /api/user'])
})
