import { jest } from '@jest/globals'
import { act, render, screen, waitFor } from '../../test/render.tsx'
import { Suspense } from 'react'
import { Provider } from 'react-redux'
import { MemoryRouter } from 'react-router-dom'
import { fakeApi, unlockedUser } from '../../test/fake-api.ts'
import { AuthProvider } from '../features/session/AuthProvider.tsx'
import { InnerBoundary } from './InnerBoundary.tsx'
import { InnerRoutes } from './InnerRoutes.tsx'
import { page, store } from '../../test/page.ts'

const realReplace = page.replace
let server: ReturnType<typeof fakeApi>

beforeEach(() => {
  page.replace = () => undefined
  // React logs errors that a boundary catches.
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  jest.useRealTimers()
  Reflect.deleteProperty(document, 'hidden')
  jest.restoreAllMocks()
  server.restore()
  page.replace = realReplace
})

it('the app locks a page that is hidden for 60 s also when its screen could not be rendered', async () => {
  server = fakeApi({
    // This value is not a text, so the settings cannot render it.
    'GET /api/user': () => ({ status: 200, body: { ...unlockedUser, username: {} } }),
    'POST /api/lock': () => ({ status: 200 }),
  })
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={['/settings']}>
        <AuthProvider>
          <Suspense>
            <InnerBoundary>
              <InnerRoutes />
            </InnerBoundary>
          </Suspense>
        </AuthProvider>
      </MemoryRouter>
    </Provider>,
  )
  await screen.findByText('Something went wrong', {}, { timeout: 20_000 })

  jest.useFakeTimers()
  Object.defineProperty(document, 'hidden', { configurable: true, value: true })
  document.dispatchEvent(new Event('visibilitychange'))
  act(() => jest.advanceTimersByTime(60_000))
  jest.useRealTimers()
  await waitFor(() => expect(server.asked).toContain('POST /api/lock'))
})
