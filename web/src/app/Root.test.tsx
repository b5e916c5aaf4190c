import { jest } from '@jest/globals'
import { act, fireEvent, render, screen, waitFor } from '../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { endLock } from '../../test/leave-page.ts'
import { fakeApi, lockedUser, refusal, unlockedUser } from '../../test/fake-api.ts'
import { unlockAnswer } from '../../test/unlock-answer.ts'
import { initialCalculator } from '../features/calculator/calculator-state.ts'
import { handedOver } from '../features/calculator/handed-over.ts'
import { forgetDevice, rememberDevice } from '../features/device/remember-device.ts'
import { App } from './App.tsx'
import { Root } from './Root.tsx'
import { earlyEntry, page, toasts as toastStore, testPage } from '../../test/page.ts'

/** The numbers that were sent to the server. */
const tried: string[] = []
const verify = 'POST /api/verify-numeric-password'
let server: ReturnType<typeof fakeApi>

beforeEach(() => {
  localStorage.setItem('calc.terms', '1')
  window.history.replaceState(null, '', '/')
  rememberDevice(false)
  tried.length = 0
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: lockedUser }),
    'POST /api/lock': () => ({ status: 200 }),
    [verify]: (body) => {
      tried.push((body as { numericPassword: string }).numericPassword)
      return refusal(403, 'wrong_pin')
    },
  })
})
afterEach(async () => {
  jest.useRealTimers()
  server.answers['POST /api/lock'] = () => ({ status: 200 })
  await act(endLock)
  server.restore()
  earlyEntry.forget()
  forgetDevice()
  localStorage.clear()
})

const TestApp = (props: { startAt?: string }) => <App {...props} page={testPage} />

/** Opens the first page. `arrive` completes the download of the app, `fail` refuses it. */
function open() {
  const loads: boolean[] = []
  let arrive: () => Promise<void> = () => Promise.resolve()
  let fail: () => Promise<void> = () => Promise.resolve()
  const load = (_entry: unknown, isAway: boolean) => {
    loads.push(isAway)
    return new Promise<typeof TestApp>((resolve, reject) => {
      arrive = () => act(() => Promise.resolve(resolve(TestApp)))
      fail = () =>
        act(() => Promise.resolve(reject(new TypeError('Failed to fetch dynamically imported module'))))
    })
  }
  render(<Root entry={testPage} load={load} />)
  return { loads, arrive: () => arrive(), fail: () => fail() }
}
const result = () => screen.getByRole('status', { name: 'Result' }).textContent
const appHasArrived = () => waitFor(() => expect(server.asked).toContain('GET /api/user'))

it('D-28: the first page of an unknown device is a calculator that needs no app and makes no call', async () => {
  forgetDevice()
  const { loads } = open()
  await userEvent.keyboard('7*6=')
  expect(result()).toBe('42')
  await userEvent.keyboard('c+1815=')
  expect(document.body.textContent).not.toMatch(/password/i)
  expect(loads).toEqual([])
  expect(server.asked).toEqual([])
})

it('a calculation that was begun on the first page goes on in the app', async () => {
  const { arrive } = open()
  await userEvent.keyboard('12+3')
  await arrive()
  await appHasArrived()
  expect(result()).toBe('3')
  await userEvent.keyboard('=')
  expect(result()).toBe('15')
})

it('a number that was entered after + before the app had arrived is hidden, and tried when it is there', async () => {
  const { arrive } = open()
  await userEvent.keyboard('+1815=')
  expect(document.body.textContent).not.toContain('1815')
  expect(screen.getByText('••••').getAttribute('aria-hidden')).toBe('true')
  expect(document.body.textContent).not.toMatch(/password/i)
  await arrive()
  await waitFor(() => expect(toastStore.get()?.title).toBe('Invalid Password'))
  expect(tried).toEqual(['1815'])
})

it('a number that was begun after + before the app had arrived is finished in password mode', async () => {
  const { arrive } = open()
  await userEvent.keyboard('+181{Backspace}')
  await arrive()
  expect(await screen.findByText('Enter Password')).toBeTruthy()
  expect(toastStore.get()?.title).toBe('Password Mode: Enter your numeric password')
  expect(screen.getByRole('status', { name: 'Entry' }).textContent).toContain('2 digits')
  await userEvent.keyboard('15=')
  await waitFor(() => expect(tried).toEqual(['1815']))
})

it('Delete erases the digits after + on the first page and in password mode, and leaves neither', async () => {
  const { arrive } = open()
  await userEvent.keyboard('+99{Delete}18')
  expect(screen.getByText('••').getAttribute('aria-hidden')).toBe('true')
  await arrive()
  expect(await screen.findByText('Enter Password')).toBeTruthy()
  await userEvent.keyboard('{Delete}1815=')
  await waitFor(() => expect(tried).toEqual(['1815']))
})

it('C leaves a number that was begun after + on the first page', async () => {
  const { arrive } = open()
  await userEvent.keyboard('+18{Escape}5')
  expect(result()).toBe('5')
  await arrive()
  await appHasArrived()
  expect(result()).toBe('5')
  expect(screen.queryByText('Enter Password')).toBeNull()
})

it('digits and = before the app has arrived are tried when it is there, and at no later visit', async () => {
  const { arrive } = open()
  await userEvent.keyboard('1815=')
  await arrive()
  await waitFor(() => expect(tried).toEqual(['1815']))
  expect(earlyEntry.get()).toBeNull()
})

it('Settings opens from the first page as soon as the app has arrived', async () => {
  forgetDevice()
  server.answers['GET /api/user'] = () => refusal(401, 'unauthenticated')
  const { arrive, loads } = open()
  await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
  await userEvent.click(screen.getByRole('button', { name: 'Settings' }))
  expect(window.location.pathname).toBe('/settings')
  expect(loads).toEqual([true])
  await arrive()
  expect(await screen.findByRole('tab', { name: 'Sign In' })).toBeTruthy()
})

it('Settings opens from the first page without an address in discreet mode', async () => {
  document.cookie = 'v=2; path=/'
  server.answers['GET /api/user'] = () => ({ status: 200, body: { ...lockedUser, isDiscreet: true } })
  const { arrive } = open()
  await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
  await userEvent.click(screen.getByRole('button', { name: 'Settings' }))
  await arrive()
  expect(await screen.findByRole('heading', { name: 'Settings' })).toBeTruthy()
  expect(window.location.pathname).toBe('/')
  act(() => window.history.back())
  expect(await screen.findByRole('group', { name: 'Keypad' })).toBeTruthy()
})

it('Back returns to the calculator while the app is still on its way to Settings', async () => {
  open()
  await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
  await userEvent.click(screen.getByRole('button', { name: 'Settings' }))
  expect(screen.queryByRole('group', { name: 'Keypad' })).toBeNull()
  act(() => window.history.back())
  expect(await screen.findByRole('group', { name: 'Keypad' })).toBeTruthy()
})

it('Back from the first page does not lead to a screen of an earlier page', async () => {
  open()
  window.history.replaceState({ key: 'earlier' }, '', '/settings')
  act(() => void window.dispatchEvent(new PopStateEvent('popstate')))
  expect(await screen.findByRole('group', { name: 'Keypad' })).toBeTruthy()
  expect(window.location.pathname).toBe('/')
})

it('the app does not replace the first page under a finger or an open menu', async () => {
  const { arrive } = open()
  const five = screen.getByRole('button', { name: /^(five|5)$/ })
  fireEvent.pointerDown(five)
  await arrive()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(server.asked).toEqual([])
  fireEvent.pointerUp(five)
  fireEvent.click(five)
  await appHasArrived()
  expect(result()).toBe('5')
})

it('the first page tries again after five seconds when the app could not be loaded, and keeps what was typed', async () => {
  jest.useFakeTimers({ advanceTimers: true })
  const { loads, fail, arrive } = open()
  fireEvent.keyDown(window, { key: '4' })
  await fail()
  expect(result()).toBe('4')
  act(() => jest.advanceTimersByTime(5000))
  expect(loads).toEqual([false, false])
  await arrive()
  await appHasArrived()
  expect(result()).toBe('4')
})

it('a number that waits for an app of an old release goes on in the page of the new one', async () => {
  const opened: string[] = []
  const realReplace = page.replace
  page.replace = (address) => opened.push(address)
  server.answers['GET /index.html'] = () => ({ status: 200, body: 'src="/assets/a-next.js"' })
  const { fail } = open()
  await userEvent.keyboard('+1815=')
  await fail()
  await waitFor(() => expect(opened).toEqual(['/']))
  expect(handedOver.take(initialCalculator)).toMatchObject({ hidden: '1815', isSubmitted: true })
  page.replace = realReplace
  sessionStorage.clear()
})

it('another screen than the calculator offers Retry when the app could not be loaded', async () => {
  window.history.replaceState(null, '', '/settings')
  const { fail } = open()
  await fail()
  expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy()
})

// This test comes last, because it opens a session that a later page would have to lock.
it('the right number, entered before the app has arrived, opens the messages', async () => {
  let isUnlocked = false
  server.answers['GET /api/user'] = () => ({ status: 200, body: isUnlocked ? unlockedUser : lockedUser })
  server.answers['GET /api/conversations'] = () => ({ status: 200, body: [] })
  server.answers[verify] = () => {
    isUnlocked = true
    return { status: 200, body: unlockAnswer }
  }
  const { arrive } = open()
  await userEvent.keyboard('+1815=')
  await arrive()
  expect(await screen.findByRole('heading', { name: 'Secure Messages' })).toBeTruthy()
})
