import { jest } from '@jest/globals'
import { act, render, waitFor } from '../../../test/render.tsx'
import { Provider } from 'react-redux'
import { MemoryRouter, Outlet, Route, Routes } from 'react-router-dom'
import { endLock } from '../../../test/leave-page.ts'
import { fakeApi, unlockedUser } from '../../../test/fake-api.ts'
import { useAuth } from './auth-context.ts'
import { AuthProvider } from './AuthProvider.tsx'
import { forgetDevice, rememberDevice } from '../device/remember-device.ts'
import { absence } from '../lock/absence.ts'
import { LockWatch } from './LockWatch.tsx'
import { RequireUnlocked } from './RequireUser.tsx'
import { createLock } from '../lock/lock-effects.ts'
import { reportSignedOut, request, store, page, cover, pickerGrace, lock, busy } from '../../../test/page.ts'

const minute = 60_000
let now = 0
let isHidden = false
let server: ReturnType<typeof fakeApi>
Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden })

beforeEach(() => {
  now = 1_700_000_000_000
  isHidden = false
  jest.spyOn(Date, 'now').mockImplementation(() => now)
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: unlockedUser }),
    'POST /api/lock': () => ({ status: 200 }),
    'POST /api/activity': () => ({ status: 200 }),
  })
})
afterEach(async () => {
  await act(endLock)
  jest.restoreAllMocks()
  server.restore()
  forgetDevice()
  sessionStorage.clear()
})

function Screen() {
  return <p>{useAuth().user ? 'Known' : ''}</p>
}

const WhenKnown = () => (useAuth().user ? <Outlet /> : null)

async function open() {
  const view = render(
    <Provider store={store}>
      <MemoryRouter initialEntries={['/messaging']}>
        <AuthProvider>
          <LockWatch>
            <Screen />
          </LockWatch>
        </AuthProvider>
      </MemoryRouter>
    </Provider>,
  )
  await view.findByText('Known')
  return view
}
const setHidden = (hidden: boolean) => {
  isHidden = hidden
  document.dispatchEvent(new Event('visibilitychange'))
}
/** Loads the same tab again, as after a reload or after the browser discarded the page. */
const nextPage = () =>
  createLock({
    storage: { get: () => null, set: () => true, remove: () => undefined },
    isKnownDevice: () => true,
    send: () => Promise.resolve({ data: null }),
    ...{ location: page, cover, openChannel: () => undefined },
    secrets: { holds: () => false, flush: () => Promise.resolve(), end: () => undefined },
    wasAbsent: absence.isOver,
  })
const locked = () => server.asked.includes('POST /api/lock')

describe('a tab that was hidden while it was open', () => {
  it.each(['visibilitychange', 'pagehide'])(
    'owes a lock when it is loaded a minute after %s',
    async (type) => {
      await open()
      if (type === 'visibilitychange') setHidden(true)
      else window.dispatchEvent(new Event('pagehide'))
      now += minute - 1
      expect(nextPage().status()).toBe('nothing-owed')
      now += 1
      expect(nextPage().status()).toBe('owed')
    },
  )

  it('records no lock when it is shown again in time', async () => {
    await open()
    setHidden(true)
    now += minute - 1
    act(() => setHidden(false))
    now += minute
    expect(nextPage().status()).toBe('nothing-owed')
    expect(locked()).toBe(false)
  })

  it('is not locked by the record of an earlier page when it is opened now', async () => {
    absence.note()
    now += 2 * minute
    await open()
    expect(lock.status()).toBe('nothing-owed')
    expect(nextPage().status()).toBe('nothing-owed')
  })

  it('may be hidden ten minutes, once, behind a file picker that it has opened itself', async () => {
    await open()
    pickerGrace.arm()
    setHidden(true)
    now += 10 * minute - 1
    act(() => setHidden(false))
    expect(locked()).toBe(false)
    setHidden(true)
    now += minute
    act(() => setHidden(false))
    await waitFor(() => expect(locked()).toBe(true))
  })

  it('locks when the file picker stays open for longer', async () => {
    await open()
    pickerGrace.arm()
    setHidden(true)
    now += 10 * minute
    act(() => setHidden(false))
    await waitFor(() => expect(locked()).toBe(true))
  })

  it('locks as usual after a file picker that has answered', async () => {
    await open()
    pickerGrace.arm()
    pickerGrace.end()
    setHidden(true)
    now += minute
    act(() => setHidden(false))
    await waitFor(() => expect(locked()).toBe(true))
  })

  it('locks when it is shown again too late', async () => {
    await open()
    setHidden(true)
    now += minute
    act(() => setHidden(false))
    await waitFor(() => expect(locked()).toBe(true))
  })
})

describe('the timer of a hidden tab', () => {
  const start = async () => {
    const view = await open()
    jest.useFakeTimers({ now })
    setHidden(true)
    return view
  }
  afterEach(() => jest.useRealTimers())

  it('locks after a minute', async () => {
    await start()
    act(() => jest.advanceTimersByTime(minute - 1))
    expect(lock.status()).toBe('nothing-owed')
    act(() => jest.advanceTimersByTime(1))
    expect(lock.status()).not.toBe('nothing-owed')
  })

  it('stops when the tab is shown again', async () => {
    await start()
    act(() => setHidden(false))
    act(() => jest.advanceTimersByTime(2 * minute))
    expect(lock.status()).toBe('nothing-owed')
  })

  it('stops when the page is replaced', async () => {
    const { unmount } = await start()
    unmount()
    jest.advanceTimersByTime(2 * minute)
    expect(lock.status()).toBe('nothing-owed')
  })
})

describe('the regular check of an open page', () => {
  beforeEach(() =>
    jest.useFakeTimers({ doNotFake: ['Date', 'setTimeout', 'setImmediate', 'queueMicrotask'] }),
  )
  afterEach(() => jest.useRealTimers())

  it('locks ten minutes after the last activity without any event', async () => {
    await open()
    now += 10 * minute
    act(() => jest.advanceTimersByTime(10_000))
    expect(lock.status()).not.toBe('nothing-owed')
  })

  it('stops when the page is replaced', async () => {
    const { unmount } = await open()
    unmount()
    now += 10 * minute
    jest.advanceTimersByTime(10_000)
    expect(lock.status()).toBe('nothing-owed')
  })
})

describe('an open page is covered and replaced', () => {
  const realReplace = page.replace
  let replaced: string[]
  beforeEach(() => {
    replaced = []
    page.replace = (address) => void replaced.push(address)
    cover.release()
  })
  afterEach(() => {
    page.replace = realReplace
  })
  const isCovered = () => document.documentElement.classList.contains('is-covered')

  it.each([
    ['the sign-in page', false, '/auth'],
    ['the calculator, in discreet mode,', true, '/'],
  ])('by %s when the session has ended', async (_name, isDiscreet, address) => {
    const { unmount } = await open()
    rememberDevice(isDiscreet)
    reportSignedOut()
    expect(replaced).toEqual([address])
    expect(isCovered()).toBe(true)
    unmount()
    reportSignedOut()
    expect(replaced).toHaveLength(1)
  })

  it('by the calculator when a call is refused because the session is locked', async () => {
    const { unmount } = await open()
    server.answers['GET /api/conversations'] = () => ({ status: 423 })
    await request({ url: '/api/conversations' })
    expect(replaced).toEqual(['/'])
    expect(isCovered()).toBe(true)
    unmount()
    await request({ url: '/api/conversations' })
    expect(replaced).toHaveLength(1)
  })
})

it('a page that cannot be replaced shows no inner screen once the server has said that the session is locked', async () => {
  jest.spyOn(page, 'canReplace').mockReturnValue(false)
  const view = render(
    <Provider store={store}>
      <MemoryRouter initialEntries={['/messaging']}>
        <AuthProvider>
          <LockWatch>
            <Routes>
              <Route path="/" element="The calculator" />
              <Route element={<WhenKnown />}>
                <Route element={<RequireUnlocked />}>
                  <Route path="/messaging" element="The messages" />
                </Route>
              </Route>
            </Routes>
          </LockWatch>
        </AuthProvider>
      </MemoryRouter>
    </Provider>,
  )
  await view.findByText('The messages')
  server.answers['GET /api/conversations'] = () => ({ status: 423 })
  await act(() => request({ url: '/api/conversations' }))
  await view.findByText('The calculator')
})

it('a page that was replaced neither records that it was hidden nor locks', async () => {
  const { unmount } = await open()
  setHidden(true)
  unmount()
  expect(absence.since()).toBe(0)
  setHidden(true)
  window.dispatchEvent(new Event('pagehide'))
  expect(absence.since()).toBe(0)
  now += 10 * minute
  setHidden(false)
  for (const type of ['focus', 'pointerdown', 'keydown', 'touchstart']) window.dispatchEvent(new Event(type))
  expect(lock.status()).toBe('nothing-owed')
})

it('reports activity at most once a minute, also when an element stops the event', async () => {
  await open()
  const stop = (event: Event) => event.stopPropagation()
  document.body.addEventListener('pointerdown', stop)
  const touchAfter = (ms: number) => {
    now += ms
    document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
    return new Promise((resolve) => setTimeout(resolve))
  }
  const reports = () => server.asked.filter((call) => call === 'POST /api/activity').length
  await touchAfter(minute - 1)
  expect(reports()).toBe(0)
  await touchAfter(1)
  await waitFor(() => expect(reports()).toBe(1))
  await touchAfter(minute - 1)
  expect(reports()).toBe(1)
  // The clock of the device is set back.
  await touchAfter(-9 * minute)
  expect(reports()).toBe(2)
  document.body.removeEventListener('pointerdown', stop)
})

describe('ten minutes without activity', () => {
  it.each(['focus', 'pointerdown', 'keydown'])(
    'lock at %s, and no such sign revives the session',
    async (type) => {
      await open()
      now += 10 * minute
      act(() => void window.dispatchEvent(new Event(type)))
      expect(lock.status()).not.toBe('nothing-owed')
      window.dispatchEvent(new Event('click'))
      await waitFor(() => expect(locked()).toBe(true))
      expect(server.asked).not.toContain('POST /api/activity')
    },
  )

  it('lock when the tab is shown', async () => {
    await open()
    now += 10 * minute
    act(() => setHidden(false))
    expect(lock.status()).not.toBe('nothing-owed')
  })

  it('cannot be made longer by a clock that is set back', async () => {
    await open()
    now -= 10 * minute
    act(() => void window.dispatchEvent(new Event('focus')))
    expect(lock.status()).not.toBe('nothing-owed')
  })

  it('lock the page also without a network', async () => {
    await open()
    server.answers['POST /api/lock'] = () => 'no connection'
    now += 10 * minute
    act(() => void window.dispatchEvent(new Event('focus')))
    expect(localStorage.getItem('calc.l')).toBe('1')
    server.answers['POST /api/lock'] = () => ({ status: 200 })
  })

  it('count from the last activity', async () => {
    await open()
    now += 9 * minute
    window.dispatchEvent(new Event('pointerdown'))
    now += 9 * minute
    window.dispatchEvent(new Event('focus'))
    expect(lock.status()).toBe('nothing-owed')
  })
})

describe('something that runs, such as a recording,', () => {
  const check = () => act(() => void window.dispatchEvent(new Event('focus')))
  const after = (minutes: number) => {
    now += minutes * minute
    check()
    return lock.status()
  }
  let end: () => void
  beforeEach(() => {
    end = busy.begin()
  })
  afterEach(() => end())

  it('counts as activity in a visible page until it ends', async () => {
    await open()
    for (let minutes = 0; minutes < 30; minutes += 6) expect(after(6)).toBe('nothing-owed')
    await waitFor(() => expect(server.asked).toContain('POST /api/activity'))
    end()
    // A second call must not end anything else.
    end()
    expect(after(9)).toBe('nothing-owed')
    expect(after(1)).not.toBe('nothing-owed')
  })

  it('counts even after another one has ended', async () => {
    await open()
    busy.begin()()
    expect(after(9)).toBe('nothing-owed')
    expect(after(9)).toBe('nothing-owed')
  })

  it('does not keep a hidden page', async () => {
    await open()
    pickerGrace.arm()
    setHidden(true)
    expect(after(9)).toBe('nothing-owed')
    expect(after(1)).not.toBe('nothing-owed')
  })

  it('does not keep the page for longer than eight hours', async () => {
    await open()
    for (let minutes = 8; minutes < 480; minutes += 8) expect(after(8)).toBe('nothing-owed')
    expect(after(8)).not.toBe('nothing-owed')
  })
})

it('locks the page eight hours after the unlock despite activity', async () => {
  await open()
  for (let minutes = 8; minutes < 480; minutes += 8) {
    now += 8 * minute
    window.dispatchEvent(new Event('pointerdown'))
  }
  expect(lock.status()).toBe('nothing-owed')
  now += 8 * minute
  act(() => void window.dispatchEvent(new Event('pointerdown')))
  expect(lock.status()).not.toBe('nothing-owed')
})
