import { jest } from '@jest/globals'
import { act, render, screen, waitFor, within } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { fakeApi, refusal } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { App } from '../../app/App.tsx'
import { dismissToast, testPage } from '../../../test/page.ts'

let server: ReturnType<typeof fakeApi>
let sent: unknown[]
beforeEach(() => (sent = []))
afterEach(() => {
  jest.useRealTimers()
  server.restore()
  act(dismissToast)
})

const accepted = { status: 200, body: { message: 'If an account …' } }
const sentence = "If an account with that email exists, you'll receive a password reset link shortly."

async function open(answer: Answer = accepted) {
  server = fakeApi({
    'GET /api/user': () => refusal(401, 'no_session'),
    'POST /api/password/request-reset': (body) => {
      sent.push(body)
      return answer
    },
  })
  window.history.replaceState(null, '', '/auth')
  render(<App page={testPage} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Forgot Password?' }))
  const dialog = within(screen.getByRole('dialog'))
  return {
    field: dialog.getByLabelText<HTMLInputElement>('Email'),
    send: () => userEvent.click(dialog.getByRole('button', { name: 'Send Reset Link' })),
  }
}
const toastOf = (title: string) => screen.findByText(title).then((text) => text.closest('li')?.textContent)

describe('the dialog Forgot Password?', () => {
  it('AUTH-07 AUTH-08 ERR-11: asks for an address, sends it off, and says what happens next', async () => {
    const { field, send } = await open()
    expect(document.activeElement).toBe(field)
    await userEvent.type(field, ' kay@example.com ')
    await send()
    expect(await toastOf('Password Reset Email Sent')).toContain(sentence)
    expect(sent).toEqual([{ email: 'kay@example.com' }])
  })

  it('ERR-13: closes 2000 ms after success, and not before', async () => {
    let give: (answer: typeof accepted) => void = () => undefined
    const { field, send } = await open(new Promise<typeof accepted>((resolve) => (give = resolve)))
    await userEvent.type(field, 'kay@example.com')
    await send()
    jest.useFakeTimers()
    give(accepted)
    await toastOf('Password Reset Email Sent')
    act(() => jest.advanceTimersByTime(1900))
    expect(screen.getByRole('dialog')).toBeTruthy()
    act(() => jest.advanceTimersByTime(100))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it.each(['', '   '])('VAL-05: requires an address and sends nothing for "%s"', async (typed) => {
    const { field, send } = await open()
    if (typed) await userEvent.type(field, typed)
    await send()
    expect(await toastOf('Email required')).toContain('Please enter your email address')
    expect(document.activeElement).toBe(field)
    expect(sent).toEqual([])
  })

  it.each([
    [
      { status: 400, body: { code: 'invalid_request', error: 'Enter a valid e-mail address.' } },
      'Enter a valid e-mail address.',
    ],
    [{ status: 500 }, 'Failed to send reset email'],
  ])('ERR-10: shows Error and why when the request fails, and stays open', async (answer, why) => {
    const { field, send } = await open(answer)
    await userEvent.type(field, 'kay@example.com')
    await send()
    expect(await toastOf('Error')).toContain(why)
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
    expect(field.value).toBe('kay@example.com')
  })
  it('an address that the contract refuses is named under the field, and nothing is sent', async () => {
    const { field, send } = await open({ status: 500 })
    await userEvent.type(field, 'jörg@example.com')
    await send()
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
    expect(await toastOf('Error')).toContain('Enter a valid e-mail address.')
    expect(document.activeElement).toBe(field)
  })
})
