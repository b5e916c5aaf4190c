import { render, screen } from '../../../test/render.tsx'
import { Provider } from 'react-redux'
import { MemoryRouter } from 'react-router-dom'
import { fakeApi, refusal, unlockedUser } from '../../../test/fake-api.ts'
import { Tooltips } from '../../shared/ui/TipButton.tsx'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { AccessLogScreen } from './AccessLogScreen.tsx'
import { store } from '../../../test/page.ts'

const account = 'GET /api/access-log'
const premium = 'GET /api/access-log/premium'
let server: ReturnType<typeof fakeApi>
beforeEach(() => {
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: unlockedUser }),
    [account]: () => ({ status: 200, body: [] }),
    [premium]: () => ({ status: 200, body: [] }),
  })
})
afterEach(() => server.restore())

const open = () =>
  render(
    <Provider store={store}>
      <Tooltips>
        <MemoryRouter initialEntries={['/settings/access-log']}>
          <AuthProvider>
            <AccessLogScreen />
          </AuthProvider>
        </MemoryRouter>
      </Tooltips>
    </Provider>,
  )
const noon = (day: number) => `2026-11-${day}T12:00:00.000Z`

it('the access log tells what an administrator did with the account and its premium, the latest first', async () => {
  server.answers[account] = () => ({
    status: 200,
    body: [
      { at: noon(24), action: 'unsuspended' },
      { at: noon(22), action: 'suspended' },
      { at: noon(20), action: 'looked-at' },
    ],
  })
  server.answers[premium] = () => ({
    status: 200,
    body: [{ at: noon(23), action: 'premium-granted', days: 7 }],
  })
  open()
  const rows = await screen.findAllByText(/^An administrator /)
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'An administrator lifted the suspension',
    'An administrator gave you 7 days of Premium',
    'An administrator suspended your account',
    'An administrator looked at your account',
  ])
})

it('an empty access log says so', async () => {
  open()
  expect(await screen.findByText('Nobody has looked at your account.')).toBeTruthy()
})

it('the access log shows nothing while a part of it cannot be loaded', async () => {
  server.answers[account] = () => ({ status: 200, body: [{ at: noon(20), action: 'looked-at' }] })
  server.answers[premium] = () => refusal(403, 'step_up_required')
  open()
  expect(await screen.findByText(/To see the access log, unlock first/)).toBeTruthy()
  expect(screen.queryByText(/^An administrator looked/)).toBeNull()
})
