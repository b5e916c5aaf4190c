import { jest } from '@jest/globals'
import { act, render, screen, waitFor, within } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { fakeApi, lockedUser, refusal } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { App } from '../../app/App.tsx'
import { forgetDevice } from '../device/remember-device.ts'
import { dismissToast, testPage } from '../../../test/page.ts'

let server: ReturnType<typeof fakeApi>
let sent: unknown[]
beforeEach(() => (sent = []))
afterEach(() => {
  jest.useRealTimers()
  server.restore()
  act(dismissToast)
  forgetDevice()
})

const changed = { status: 200, body: { message: 'Your password was changed.' } }
const invalidLink = 'Invalid reset link. Please request a new password reset.'

const signedOut = (): Answer => refusal(401, 'no_session')

async function open(answer: Answer = changed, address = '/reset-password?token=abc', user = signedOut) {
  server = fakeApi({
    'GET /api/user': user,
    'POST /api/password/reset': (body) => {
      sent.push(body)
      return answer
    },
    'POST /api/password/request-reset': (body) => {
      sent.push(body)
      return { status: 200, body: { message: 'If an account …' } }
    },
  })
  window.history.replaceState(null, '', address)
  render(<App page={testPage} />)
  await screen.findByRole('button', { name: 'Reset Password' })
}
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const described = (element: HTMLElement) =>
  document.getElementById(element.getAttribute('aria-describedby') ?? 'none')?.textContent
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
async function fill(password: string, again = password) {
  if (password) await userEvent.type(field('New Password'), password)
  if (again) await userEvent.type(field('Confirm New Password'), again)
  await press('Reset Password')
}

describe('the page of the reset mail', () => {
  it('NAV-04 RESET-01 RESET-02: asks for the new password twice and says how long it has to be', async () => {
    await open()
    expect(described(field('New Password'))).toBe('Must be at least 6 characters long')
    expect(field('Confirm New Password').type).toBe('password')
  })

  it('STATE-26 RESET-03 RESET-05: sends token and password once, reads Resetting Password... until the answer, and says that it is done', async () => {
    let give: (answer: typeof changed) => void = () => undefined
    await open(new Promise<typeof changed>((resolve) => (give = resolve)))
    await fill('another horse')
    await press('Resetting Password...')
    give(changed)
    expect(await screen.findByRole('heading', { name: 'Password Reset Successfully!' })).toBeTruthy()
    expect(sent).toEqual([{ token: 'abc', newPassword: 'another horse' }])
  })

  it('RESET-06: leads to the sign-in 3 seconds after the success, and not before', async () => {
    let give: (answer: typeof changed) => void = () => undefined
    await open(new Promise<typeof changed>((resolve) => (give = resolve)))
    await fill('another horse')
    jest.useFakeTimers()
    give(changed)
    await screen.findByRole('heading', { name: 'Password Reset Successfully!' })
    act(() => jest.advanceTimersByTime(2900))
    expect(window.location.pathname).toBe('/reset-password')
    act(() => jest.advanceTimersByTime(100))
    expect(window.location.pathname).toBe('/auth')
  })

  it('RESET-04: leads back to the sign-in', async () => {
    await open()
    await press('Back to Login')
    expect(await screen.findByRole('tab', { name: 'Sign In' })).toBeTruthy()
  })

  it('leads a browser to the sign-in whose own session has ended with the reset', async () => {
    await open(changed, '/reset-password?token=abc', () => ({ status: 200, body: lockedUser }))
    await waitFor(() => expect(server.asked).toContain('GET /api/user'))
    server.answers['POST /api/password/reset'] = () => {
      server.answers['GET /api/user'] = signedOut
      return changed
    }
    await fill('another horse')
    await screen.findByRole('heading', { name: 'Password Reset Successfully!' })
    await press('Back to Login')
    expect(await screen.findByRole('tab', { name: 'Sign In' })).toBeTruthy()
  })

  it.each([
    ['', '', 'New Password', 'Please enter a new password'],
    ['12345', '12345', 'New Password', 'Password must be at least 6 characters long'],
    ['another horse', 'other', 'Confirm New Password', 'Passwords do not match'],
    ['🐎'.repeat(19), '🐎'.repeat(19), 'New Password', 'Password is too long.'],
  ])(
    'VAL-11 VAL-12 VAL-13: says for the passwords "%s" and "%s" what is wrong at the field, which gets the focus, and sends nothing',
    async (password, again, name, sentence) => {
      await open()
      await fill(password, again)
      expect(described(field(name))).toBe(sentence)
      expect(document.activeElement).toBe(field(name))
      expect(sent).toEqual([])
    },
  )

  it('VAL-10: says without a token that the link is invalid, and sends nothing', async () => {
    await open(changed, '/reset-password')
    expect(screen.getByRole('alert').textContent).toBe(invalidLink)
    await fill('another horse')
    expect(screen.getByRole('alert').textContent).toBe(invalidLink)
    expect(sent).toEqual([])
  })

  it.each([
    ['of the server', { status: 403, body: { code: 'link_invalid', error: invalidLink } }, invalidLink],
    [
      'of its own where the server gives none',
      { status: 500 },
      'Failed to reset password. Please try again.',
    ],
  ])('STATE-26 ERR-19: shows the sentence %s when the reset fails', async (_whose, answer, sentence) => {
    await open(answer)
    await fill('another horse')
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(sentence))
    expect(screen.getByRole('button', { name: 'Reset Password' })).toBeTruthy()
  })

  it('offers a new link in place of one that is no longer valid', async () => {
    await open(refusal(403, 'link_invalid'))
    await fill('another horse')
    await userEvent.click(await screen.findByRole('button', { name: 'Request a new link' }))
    const dialog = within(screen.getByRole('dialog'))
    await userEvent.type(dialog.getByLabelText('Email'), 'kay@example.com')
    await userEvent.click(dialog.getByRole('button', { name: 'Send Reset Link' }))
    await waitFor(() => expect(sent).toContainEqual({ email: 'kay@example.com' }))
  })
})
