import { render, screen, waitFor } from '../../test/render.tsx'
import { fakeApi, refusal } from '../../test/fake-api.ts'
import { App } from './App.tsx'
import { testPage } from '../../test/page.ts'

let server: ReturnType<typeof fakeApi>
beforeEach(() => (server = fakeApi({ 'GET /api/user': () => refusal(401, 'no_session') })))
afterEach(() => server.restore())

const open = (address: string) => {
  window.history.replaceState(null, '', address)
  render(<App page={testPage} />)
}

it.each([
  ['/', 'button', '7'],
  ['/calculator', 'button', '7'],
  ['/auth', 'tab', 'Sign In'],
  ['/auth', 'button', 'Privacy Policy'],
  ['/auth', 'button', 'Terms of Use'],
  ['/verify-email?token=a', 'heading', 'Verification Failed'],
  ['/reset-password?token=a', 'button', 'Reset Password'],
])('PERM-02: %s shows a person without a session the %s %s', async (address, role, name) => {
  open(address)
  expect(await screen.findByRole(role, { name })).toBeTruthy()
  expect(window.location.pathname + window.location.search).toBe(address)
})

it('PERM-02: every other page leads a person without a session to the sign-in', async () => {
  open('/settings')
  await waitFor(() => expect(window.location.pathname).toBe('/auth'))
})
