import { jest } from '@jest/globals'
import { act, render, screen } from '../../../test/render.tsx'
import { fakeApi, refusal } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { fakeMessaging } from '../../../test/fake-messaging.tsx'
import { ConnectionBar } from './ConnectionBar.tsx'
import { messagingApi } from './messaging-api.ts'
import { store } from '../../../test/page.ts'

let server: ReturnType<typeof fakeApi>
let messaging: Awaited<ReturnType<typeof fakeMessaging>>
let list: Answer

beforeEach(async () => {
  list = { status: 200, body: [] }
  server = fakeApi({ 'GET /api/conversations': () => list })
  messaging = await fakeMessaging()
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
  act(() => server.restore())
  messaging.close()
})

const show = () => render(<ConnectionBar />, { wrapper: messaging.Wrapper })
const lose = () => act(() => messaging.connection.set({ connected: false }))
const wait = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))
const fetchList = () =>
  act(async () => {
    const { listConversations } = messagingApi.endpoints
    await store.dispatch(listConversations.initiate(undefined, { forceRefetch: true, subscribe: false }))
    await jest.advanceTimersByTimeAsync(100)
  })
const text = () => screen.getByRole('status').textContent
const offline = 'No connection. Messages are sent when you are back.'

it('D-58: the connection bar appears 2 s after a loss, and goes when the connection is back', async () => {
  show()
  lose()
  await wait(1999)
  expect(text()).toBe('')
  await wait(1)
  expect(text()).toBe('Connecting…')
  act(() => messaging.connection.set({ connected: true }))
  expect(text()).toBe('')
})

it('the connection bar does not appear for a loss of less than 2 s, also when there are several', async () => {
  show()
  for (let time = 1; time <= 3; time += 1) {
    lose()
    await wait(1500)
    act(() => messaging.connection.set({ connected: true }))
    await wait(1000)
  }
  expect(text()).toBe('')
})

it('the connection bar does not begin its 2 s again on the next screen, or with the next failure', async () => {
  const { unmount } = show()
  lose()
  await wait(1500)
  messaging.connection.set({ refusal: 'unavailable' })
  unmount()
  await wait(500)
  show()
  expect(text()).toBe('Connecting…')
})

it('the connection bar appears 2 s after the start when no connection was made', async () => {
  messaging = await fakeMessaging({ connected: false })
  show()
  await wait(2000)
  expect(text()).toBe('Connecting…')
})

it('the connection bar says that there is no connection while the device is offline', async () => {
  const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  show()
  lose()
  await wait(2000)
  expect(text()).toBe(offline)
  onLine.mockReturnValue(true)
  act(() => void window.dispatchEvent(new Event('online')))
  expect(text()).toBe('Connecting…')
  onLine.mockReturnValue(false)
  act(() => void window.dispatchEvent(new Event('offline')))
  expect(text()).toBe(offline)
  onLine.mockRestore()
})

it('the connection bar appears 2 s after the browser went offline, before the connection notices, and goes with it', async () => {
  const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  show()
  act(() => void window.dispatchEvent(new Event('offline')))
  await wait(1999)
  expect(text()).toBe('')
  await wait(1)
  expect(text()).toBe(offline)
  onLine.mockReturnValue(true)
  act(() => void window.dispatchEvent(new Event('online')))
  expect(text()).toBe('')
  onLine.mockRestore()
})

it('the connection bar says that there is no connection while no call is answered', async () => {
  show()
  lose()
  await wait(2000)
  list = 'no connection'
  await fetchList()
  expect(text()).toBe(offline)
  list = refusal(503, 'unavailable')
  await fetchList()
  expect(text()).toBe('Connecting…')
})
