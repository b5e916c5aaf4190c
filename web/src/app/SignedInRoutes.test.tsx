import { jest } from '@jest/globals'
import { render, screen } from '../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { Provider } from 'react-redux'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom'
import { fakeApi, lockedUser, refusal, unlockedUser } from '../../test/fake-api.ts'
import type { Answer } from '../../test/fake-api.ts'
import { AuthProvider } from '../features/session/AuthProvider.tsx'
import { SignedInRoutes } from './SignedInRoutes.tsx'
import { Tooltips } from '../shared/ui/TipButton.tsx'
import { place, store } from '../../test/page.ts'

let server: ReturnType<typeof fakeApi>
afterEach(() => server.restore())

const Place = () => <p data-testid="place">{useLocation().pathname}</p>

function open(address: string, user: Answer) {
  server = fakeApi({ 'GET /api/user': () => user })
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={[address]}>
        <AuthProvider>
          <Routes>
            <Route path="/auth" element={<Place />} />
            <Route path="/" element={<Place />} />
            <Route
              path="*"
              element={
                <Suspense>
                  <Tooltips>
                    <SignedInRoutes />
                  </Tooltips>
                </Suspense>
              }
            />
          </Routes>
        </AuthProvider>
      </MemoryRouter>
    </Provider>,
  )
}

it.each(['/messaging', '/settings', '/conversation/1', '/admin'])(
  'NAV-10: %s leads to /auth without a session',
  async (address) => {
    open(address, refusal(401, 'no_session'))
    expect((await screen.findByTestId('place')).textContent).toBe('/auth')
  },
)

it.each(['/messaging', '/settings', '/conversation/1', '/admin'])(
  'NAV-11: %s shows a spinner for as long as the session is being loaded',
  async (address) => {
    let answer: (value: { status: number; body?: unknown }) => void = () => undefined
    open(address, new Promise((resolve) => (answer = resolve)))
    expect(screen.getByRole('status').textContent).toBe('Loading')
    expect(screen.queryByTestId('place')).toBeNull()
    answer(refusal(401, 'no_session'))
    await screen.findByTestId('place')
    expect(screen.queryByRole('status')).toBeNull()
  },
)

it.each([
  ['the set-up', false, 'Setup Security Password'],
  ['the account', true, 'Logout'],
])('NAV-06: /settings shows a signed-in person %s', async (_part, isSetupComplete, text) => {
  open('/settings', { status: 200, body: { ...lockedUser, isSetupComplete } })
  expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)
  expect(screen.queryAllByText(isSetupComplete ? 'Setup Security Password' : 'Logout')).toEqual([])
})

it.each(['/nowhere', '/admin'])(
  'NAV-13 NAV-14 D-26: %s shows a signed-in person the not-found card, with a way back to the calculator',
  async (address) => {
    open(address, { status: 200, body: lockedUser })
    const heading = await screen.findByRole('heading', { name: '404 Page Not Found' })
    expect(heading.parentElement?.textContent).toContain('Did you forget to add the page to the router?')
    await userEvent.click(screen.getByRole('button', { name: 'Back to the calculator' }))
    expect((await screen.findByTestId('place')).textContent).toBe('/')
  },
)

it('NAV-08 D-26: /admin shows an admin the dashboard', async () => {
  open('/admin', { status: 200, body: { ...unlockedUser, isAdmin: true } })
  server.answers['GET /api/admin/users'] = () => ({ status: 200, body: [] })
  expect(await screen.findByText('No users found')).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Admin Dashboard' })).toBeTruthy()
})

describe('a page that Back has loaded', () => {
  beforeEach(() => {
    place.loadInside({ isByHistory: true })
    // The page was loaded just now, so it still waits for the server's answer about the session.
    jest.spyOn(performance, 'now').mockReturnValue(0)
  })
  afterEach(() => {
    jest.restoreAllMocks()
    place.enter('calculator')
  })

  it.each(['/settings', '/settings/devices', '/admin'])(
    'leads from %s of a locked session to the calculator',
    async (address) => {
      open(address, { status: 200, body: lockedUser })
      expect((await screen.findByTestId('place')).textContent).toBe('/')
    },
  )

  it('shows the settings of an unlocked session', async () => {
    const unlockedUntil = new Date(Date.now() + 60_000).toISOString()
    open('/settings', { status: 200, body: { ...lockedUser, unlockedUntil } })
    expect(await screen.findByRole('heading', { name: 'Settings' })).toBeTruthy()
  })
})
