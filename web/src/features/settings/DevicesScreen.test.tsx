import { render, screen, waitFor, within } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { Provider } from 'react-redux'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { fakeApi, lockedUser, refusal, unlockedUser } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { RequireUser } from '../session/RequireUser.tsx'
import { Tooltips } from '../../shared/ui/TipButton.tsx'
import { DevicesScreen } from './DevicesScreen.tsx'
import { store } from '../../../test/page.ts'

const session = (id: string, device: string, isCurrent = false) => ({
  id,
  device,
  addressFamily: 'IPv6',
  signedInAt: '2026-01-02T10:00:00.000Z',
  lastSeenAt: '2026-01-03T10:00:00.000Z',
  isCurrent,
})
let server: ReturnType<typeof fakeApi>
let listed: object[]
let sent: unknown[]

const discreetUser = {
  id: lockedUser.id,
  username: 'ada',
  isSetupComplete: true,
  silentCheck: false,
  unlockPausedUntil: null,
}

function show(answer?: Answer, user: object = unlockedUser) {
  sent = []
  listed = [
    session('s1', 'Safari on iOS', true),
    session('s2', 'Firefox on Android'),
    session('s3', 'Chrome on Linux'),
  ]
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: user }),
    'GET /api/sessions': () => answer ?? { status: 200, body: listed },
    'POST /api/sessions/s2/end': (body) => {
      sent.push(body)
      listed = listed.filter((one) => (one as { id: string }).id !== 's2')
      return { status: 200, body: { ok: true } }
    },
  })
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={['/settings/devices']}>
        <AuthProvider>
          <Tooltips>
            <Routes>
              <Route element={<RequireUser />}>
                <Route path="/settings/devices" element={<DevicesScreen />} />
                <Route path="/settings" element={<p>the settings</p>} />
              </Route>
            </Routes>
          </Tooltips>
        </AuthProvider>
      </MemoryRouter>
    </Provider>,
  )
}
afterEach(() => server.restore())

it('the devices screen names each device, and signs one out with the account password', async () => {
  show()
  const own = (await screen.findByText('Safari on iOS')).closest('section') as HTMLElement
  expect(within(own).queryByRole('button')).toBeNull()
  expect(within(own).getByText(/Active now · Signed in .* · IPv6/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Sign out Firefox on Android' }))
  const dialog = within(screen.getByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Account password'), 'correct horse')
  await userEvent.click(dialog.getByRole('button', { name: 'Sign out device' }))
  expect(await screen.findByText('That device is signed out.')).toBeTruthy()
  expect(sent).toEqual([{ password: 'correct horse' }])
  await waitFor(() => expect(screen.queryByText('Firefox on Android')).toBeNull())
  expect(screen.getByText('Chrome on Linux')).toBeTruthy()
})

it('the devices screen says what to do first when this device may not sign out another one', async () => {
  show()
  const sentence = 'Enter your number on this device first.'
  const answer = () => refusal(403, 'number_not_given', sentence)
  Object.assign(server.answers, {
    'POST /api/sessions/s2/end': answer,
    'POST /api/sessions/end-others': answer,
  })
  for (const [button, action] of [
    ['Sign out Firefox on Android', 'Sign out device'],
    ['End other sessions', 'End other sessions'],
  ] as const) {
    await userEvent.click(await screen.findByRole('button', { name: button }))
    const dialog = within(screen.getByRole('dialog'))
    await userEvent.type(dialog.getByLabelText('Account password'), 'correct horse')
    await userEvent.click(dialog.getByRole('button', { name: action }))
    expect(await dialog.findByText(sentence)).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  }
})

it.each([
  [refusal(403, 'step_up_required'), /unlock first, or log out and sign in again/],
  [{ status: 500 }, 'Your devices could not be loaded.'],
] as [Answer, string | RegExp][])(
  'the devices screen says what to do when it may not or cannot load',
  async (answer, text) => {
    show(answer)
    expect(await screen.findByText(text)).toBeTruthy()
  },
)

it('the devices screen of a locked account in discreet mode shows nothing and leads to Settings', async () => {
  show(undefined, discreetUser)
  expect(await screen.findByText('the settings')).toBeTruthy()
  expect(server.asked).not.toContain('GET /api/sessions')
  expect(screen.queryByText(/Devices|unlock/)).toBeNull()
})
