import { jest } from '@jest/globals'
import { act, fireEvent, render, screen, waitFor } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { fakeApi, lockedUser, refusal, unlockedUser } from '../../../test/fake-api.ts'
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

const verified = { status: 200, body: { message: 'Your e-mail address is verified.' } }
const signedOut = () => refusal(401, 'no_session')

/** Opens the page of a mail; `user` answers `GET /api/user`. */
function open(address: string, answer: Answer, user: () => Answer = signedOut) {
  server = fakeApi({
    'GET /api/user': user,
    'POST /api/lock': () => ({ status: 200 }),
    'POST /api/email/verify': (body) => {
      sent.push(body)
      return answer
    },
  })
  window.history.replaceState(null, '', address)
  render(
    <StrictMode>
      <App page={testPage} />
    </StrictMode>,
  )
}
const title = (name: string) => screen.findByRole('heading', { level: 1, name })
const toastWith = async (text: string) => (await screen.findByText(text)).closest('li')?.textContent

describe('the page of the verification mail', () => {
  it('NAV-03 STATE-25 VERIFY-01 VERIFY-02: says that it verifies, then that it has, without a session', async () => {
    let give: (answer: typeof verified) => void = () => undefined
    open('/verify-email?token=abc', new Promise<typeof verified>((resolve) => (give = resolve)))
    expect(await title('Verifying Your Email')).toBeTruthy()
    await waitFor(() => expect(sent).toEqual([{ token: 'abc' }]))
    give(verified)
    expect(await title('Email Verified!')).toBeTruthy()
    expect(sent).toHaveLength(1)
  })

  it('ERR-18: shows the toast Email Verified!', async () => {
    open('/verify-email?token=abc', verified)
    expect(await toastWith('You can now access all features of the app')).toContain('Email Verified!')
  })

  it('VERIFY-03: leads to the sign-in by Go to Login Now', async () => {
    open('/verify-email?token=abc', verified)
    await userEvent.click(await screen.findByRole('button', { name: 'Go to Login Now' }))
    expect(await screen.findByRole('tab', { name: 'Sign In' })).toBeTruthy()
    expect(window.location.href).not.toContain('abc')
  })

  it('VERIFY-04: leads to the sign-in by itself after 3 seconds, and not before', async () => {
    let give: (answer: typeof verified) => void = () => undefined
    open('/verify-email?token=abc', new Promise<typeof verified>((resolve) => (give = resolve)))
    await title('Verifying Your Email')
    jest.useFakeTimers()
    give(verified)
    await title('Email Verified!')
    act(() => jest.advanceTimersByTime(2900))
    expect(window.location.pathname).toBe('/verify-email')
    act(() => jest.advanceTimersByTime(100))
    expect(window.location.pathname).toBe('/auth')
  })

  it('leads a signed-in person nowhere: the verification neither locks nor unlocks', async () => {
    let give: (answer: typeof verified) => void = () => undefined
    const user = () => ({ status: 200, body: unlockedUser })
    open('/verify-email?token=abc', new Promise<typeof verified>((resolve) => (give = resolve)), user)
    await title('Verifying Your Email')
    await waitFor(() => expect(document.cookie).toContain('v=1'))
    jest.useFakeTimers()
    give(verified)
    await title('Email Verified!')
    expect(screen.getByText('You can close this page.')).toBeTruthy()
    act(() => jest.advanceTimersByTime(10_000))
    expect(window.location.pathname).toBe('/verify-email')
    expect(server.asked).not.toContain('POST /api/lock')
  })

  it('VERIFY-05 VERIFY-06 VERIFY-07 ERR-16: names the failure, what helps, and the way back', async () => {
    open('/verify-email?token=abc', refusal(403, 'link_invalid'))
    expect(await title('Verification Failed')).toBeTruthy()
    expect(
      screen.getByText('Please contact support, or log in to resend the verification email.'),
    ).toBeTruthy()
    expect(await toastWith('Please try again or request a new verification email')).toContain(
      'Verification Failed',
    )
    await userEvent.click(screen.getByRole('button', { name: 'Back to Login' }))
    expect(await screen.findByRole('tab', { name: 'Sign In' })).toBeTruthy()
  })

  it.each([
    [
      'of the server',
      { status: 403, body: { code: 'link_invalid', error: 'Not this one.' } },
      'Not this one.',
    ],
    [
      'of its own where the server gives none',
      { status: 500 },
      'Failed to verify email. The link may be invalid or expired.',
    ],
  ])(
    'STATE-25 ERR-17: shows the sentence %s when the verification fails',
    async (_whose, answer, sentence) => {
      open('/verify-email?token=abc', answer)
      await title('Verification Failed')
      expect(screen.getByText(sentence)).toBeTruthy()
    },
  )

  it('VERIFY-08: says without a token that there is none, and asks nothing of the server', async () => {
    open('/verify-email', verified)
    expect(await title('Verification Failed')).toBeTruthy()
    expect(screen.getByText('No verification token provided')).toBeTruthy()
    expect(sent).toEqual([])
  })

  it('offers a signed-in person a new mail in place of a link that is no longer valid', async () => {
    const unverified = { ...lockedUser, isEmailVerified: false }
    open('/verify-email?token=abc', refusal(403, 'link_invalid'), () => ({ status: 200, body: unverified }))
    server.answers['POST /api/email/resend-verification'] = () => ({ status: 200, body: {} })
    await userEvent.click(await screen.findByRole('button', { name: 'Resend Verification Email' }))
    expect(await toastWith('Please check your inbox and spam folder')).toContain('Verification Email Sent')
  })

  it('verifies in discreet mode too, while the address bar shows neither page nor token', async () => {
    document.cookie = 'v=2; path=/'
    open('/verify-email?token=abc', verified)
    await title('Email Verified!')
    expect(sent).toEqual([{ token: 'abc' }])
    expect(window.location.pathname + window.location.search).toBe('/')
  })

  it('neither locks nor unlocks, however long it is left open', async () => {
    open('/verify-email?token=abc', refusal(403, 'link_invalid'), () => ({ status: 200, body: unlockedUser }))
    await title('Verification Failed')
    jest.useFakeTimers()
    const hidden = jest.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    fireEvent(document, new Event('visibilitychange'))
    await act(() => jest.advanceTimersByTimeAsync(30 * 60_000))
    hidden.mockRestore()
    expect(server.asked.filter((call) => /lock|verify-numeric|activity/.test(call))).toEqual([])
  })

  it('leads a signed-in person to the calculator, which locks as always', async () => {
    open('/verify-email?token=abc', verified, () => ({ status: 200, body: unlockedUser }))
    await userEvent.click(await screen.findByRole('button', { name: 'Go to Login Now' }))
    await waitFor(() => expect(window.location.pathname).toBe('/'))
    await waitFor(() => expect(server.asked).toContain('POST /api/lock'))
  })
})
