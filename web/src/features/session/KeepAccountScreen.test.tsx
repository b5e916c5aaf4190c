import { render, screen } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { Provider } from 'react-redux'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { fakeApi, lockedUser } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { tellTales } from '../../../test/tell-tale.ts'
import { dateText } from '../../shared/lib/date-text.ts'
import { AuthScreen } from '../auth/AuthScreen.tsx'
import { AuthProvider } from './AuthProvider.tsx'
import { Tooltips } from '../../shared/ui/TipButton.tsx'
import { RequireUser } from './RequireUser.tsx'
import { store } from '../../../test/page.ts'

const deletionScheduledFor = '2026-12-07T12:00:00.000Z'
let server: ReturnType<typeof fakeApi>
let user: object | null
let keepAnswer: Answer

beforeEach(() => {
  user = { ...lockedUser, deletionScheduledFor }
  keepAnswer = { status: 200, body: { ok: true } }
  server = fakeApi({
    'GET /api/user': () => (user ? { status: 200, body: user } : { status: 401, body: {} }),
    'POST /api/login': () => {
      user = { ...lockedUser, deletionScheduledFor }
      return { status: 200, body: user }
    },
    'POST /api/keep-account': () => {
      if (keepAnswer !== 'no connection') user = lockedUser
      return keepAnswer
    },
  })
})
afterEach(() => server.restore())

const show = (address: string) =>
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={[address]}>
        <AuthProvider>
          <Routes>
            <Route path="/" element={<p>calculator</p>} />
            <Route
              path="/auth"
              element={
                <Tooltips>
                  <AuthScreen />
                </Tooltips>
              }
            />
            <Route element={<RequireUser />}>
              <Route path="/settings" element={<p>settings</p>} />
            </Route>
          </Routes>
        </AuthProvider>
      </MemoryRouter>
    </Provider>,
  )
const keep = () => userEvent.click(screen.getByRole('button', { name: 'Keep my account' }))

it('a sign-in to an account that waits to be deleted offers to keep it, with its date, before anything else', async () => {
  user = null
  show('/auth')
  await userEvent.type((await screen.findAllByLabelText('Username'))[0]!, 'ada')
  await userEvent.type(screen.getAllByLabelText('Password')[0]!, 'correct horse')
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByRole('heading', { name: 'Your account will be deleted' })).toBeTruthy()
  expect(screen.getByText(new RegExp(dateText(deletionScheduledFor)))).toBeTruthy()
  expect(screen.queryByText('settings')).toBeNull()
  await keep()
  expect(await screen.findByText('settings')).toBeTruthy()
})

it('the offer to keep an account says nothing of messages, and stays when it found no server', async () => {
  keepAnswer = 'no connection'
  show('/settings')
  await screen.findByRole('button', { name: 'Keep my account' })
  expect(tellTales(document.body.textContent)).toEqual([])
  await keep()
  expect(await screen.findByText('No connection. Please try again.')).toBeTruthy()
  expect(screen.queryByText('settings')).toBeNull()
})
