import { cleanup, fireEvent, render, screen, waitFor, within } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { Provider } from 'react-redux'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom'
import { fakeApi, lockedUser, refusal } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { Toaster } from '../../shared/ui/Toaster.tsx'
import { Tooltips } from '../../shared/ui/TipButton.tsx'
import { AuthScreen } from './AuthScreen.tsx'
import { store, dismissToast } from '../../../test/page.ts'

let server: ReturnType<typeof fakeApi>
let sent: { call: string; body: unknown }[]
const codeSent = { status: 200, body: { resendAfterSeconds: 30, expiresInSeconds: 600, demoCode: '246810' } }

/** Returns these answers and records the bodies that were sent. */
function serve(answers: Record<string, () => Answer> = {}) {
  const all: Record<string, () => Answer> = {
    'GET /api/user': () => refusal(401, 'no_session'),
    'POST /api/phone/request-code': () => codeSent,
    'POST /api/phone/verify-code': () => ({ status: 200, body: { ok: true } }),
    'POST /api/register': () => ({ status: 201, body: { ...lockedUser, isSetupComplete: false } }),
    ...answers,
  }
  for (const [call, answer] of Object.entries(all)) {
    server.answers[call] = (body) => {
      sent.push({ call, body })
      return answer()
    }
  }
}
const bodiesOf = (call: string) => sent.filter((one) => one.call === call).map(({ body }) => body)

beforeEach(() => {
  sent = []
  server = fakeApi({})
  serve()
  show()
})
afterEach(() => {
  server.restore()
  dismissToast()
})

const Place = () => <p data-testid="place">{useLocation().pathname}</p>

function show() {
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={['/auth']}>
        <AuthProvider>
          <Tooltips>
            <Routes>
              <Route path="/auth" element={<AuthScreen />} />
              <Route path="*" element={<Place />} />
            </Routes>
          </Tooltips>
        </AuthProvider>
      </MemoryRouter>
      <Toaster />
    </Provider>,
  )
}

const button = (name: string | RegExp) => screen.getByRole('button', { name })
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const described = (element: HTMLElement) =>
  document.getElementById(element.getAttribute('aria-describedby') ?? 'none')?.textContent
const isDisabled = (element: HTMLElement) =>
  element.matches(':disabled') || element.getAttribute('aria-disabled') === 'true'

const account = {
  fullName: 'Kay Board',
  username: 'kay',
  email: 'kay@example.com',
  phone: '+15550001234',
  password: 'correct horse',
}
const openSignUp = async () => userEvent.click(await screen.findByRole('tab', { name: 'Sign Up' }))
async function fillSignUp() {
  await openSignUp()
  const fill = (name: string, value: string) => fireEvent.input(field(name), { target: { value } })
  fill('Full Name', account.fullName)
  fill('Username', account.username)
  fill('Email', account.email)
  fill('Phone Number', account.phone)
  fill('Password', account.password)
  fill('Confirm Password', account.password)
}
async function openPhoneStep() {
  await fillSignUp()
  await userEvent.click(button('Create Account'))
  await screen.findByRole('heading', { name: 'Verify Your Phone' })
}
const typeCode = async (code = '123456') => {
  await userEvent.click(field('Digit 1'))
  await userEvent.keyboard(code)
}

describe('the auth screen', () => {
  it('AUTH-01: has exactly two tabs, Sign In and Sign Up', async () => {
    await screen.findByRole('tab', { name: 'Sign In', selected: true })
    const tabs = screen.getAllByRole('tab').map(({ textContent }) => textContent)
    expect(tabs).toEqual(['Sign In', 'Sign Up'])
  })

  it('focuses its title', async () => {
    const title = await screen.findByRole('heading', { level: 1, name: 'Calculator' })
    expect(document.activeElement).toBe(title)
  })

  it('LEGAL-01: shows both legal documents to a person without an account', async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Privacy Policy' }))
    const privacy = within(screen.getByRole('dialog', { name: 'Privacy Policy' }))
    expect(await privacy.findByText(/We show no advertising/)).toBeTruthy()
    await userEvent.click(privacy.getByRole('button', { name: 'Back' }))
    await userEvent.click(button('Terms of Use'))
    const terms = within(screen.getByRole('dialog', { name: 'Terms of Use' }))
    expect(await terms.findByText(/One person, one account/)).toBeTruthy()
  })

  it('leads back to the calculator', async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Back to the calculator' }))
    expect((await screen.findByTestId('place')).textContent).toBe('/')
  })
})

it('NAV-12: a signed-in person who opens the auth screen ends up at the calculator', async () => {
  cleanup()
  server.restore()
  server = fakeApi({ 'GET /api/user': () => ({ status: 200, body: lockedUser }) })
  show()
  expect((await screen.findByTestId('place')).textContent).toBe('/')
})

describe('signing in', () => {
  const open = async () => within(await screen.findByRole('tabpanel', { name: 'Sign In' }))

  it('AUTH-02: asks for username and password, and focuses the first that is missing', async () => {
    const form = await open()
    const [username, password] = [form.getByLabelText('Username'), form.getByLabelText('Password')]
    await userEvent.click(form.getByRole('button', { name: 'Sign In' }))
    expect(document.activeElement).toBe(username)
    expect(described(username)).toBe('Enter your username.')
    expect(described(password)).toBe('Enter your password.')
    await userEvent.type(username, 'kay')
    expect(username.getAttribute('aria-invalid')).toBe('false')
    expect(server.asked).not.toContain('POST /api/login')
  })

  it('AUTH-03: reads Signing In... and takes no second press while the answer is awaited', async () => {
    serve({ 'POST /api/login': () => new Promise(() => undefined) })
    const form = await open()
    await userEvent.type(form.getByLabelText('Username'), 'kay')
    await userEvent.type(form.getByLabelText('Password'), 'correct horse')
    await userEvent.click(form.getByRole('button', { name: 'Sign In' }))
    await userEvent.click(await form.findByRole('button', { name: 'Signing In...' }))
    await waitFor(() =>
      expect(bodiesOf('POST /api/login')).toEqual([{ username: 'kay', password: 'correct horse' }]),
    )
  })

  it('ERR-03 D-13: shows Login failed with the sentence of the server, and the same at the focused password', async () => {
    const answer = { ...refusal(403, 'wrong_credentials').body, error: 'That is not right.' }
    serve({ 'POST /api/login': () => ({ status: 403, body: answer }) })
    const form = await open()
    await userEvent.type(form.getByLabelText('Username'), 'kay')
    await userEvent.type(form.getByLabelText('Password'), 'wrong horse{Enter}')
    const toast = (await screen.findByText('Login failed')).closest('li')
    expect(toast?.textContent).toContain('That is not right.')
    const password = form.getByLabelText('Password')
    expect(described(password)).toBe('That is not right.')
    expect(document.activeElement).toBe(password)
  })
})

describe('the sign-up form', () => {
  it('VAL-02: says at the field that the repeated password differs, until it is corrected', async () => {
    await fillSignUp()
    await userEvent.type(field('Confirm Password'), '!')
    await userEvent.click(button('Create Account'))
    const repeated = field('Confirm Password')
    expect(described(repeated)).toBe("Passwords don't match")
    expect(document.activeElement).toBe(repeated)
    await userEvent.type(repeated, '{Backspace}')
    expect(repeated.getAttribute('aria-invalid')).toBe('false')
  })

  it('focuses the first field with a fault', async () => {
    await openSignUp()
    await userEvent.type(field('Full Name'), account.fullName)
    await userEvent.click(button('Create Account'))
    expect(document.activeElement).toBe(field('Username'))
    expect(described(field('Email'))).toBe('Enter a valid e-mail address.')
  })

  it('AUTH-05: says that the phone is verified by SMS', async () => {
    await openSignUp()
    expect(described(field('Phone Number'))).toMatch(/verify it by SMS/)
  })

  it('groups the phone number while it is typed, and keeps the caret at its digit', async () => {
    await openSignUp()
    const phone = field('Phone Number')
    await waitFor(async () => {
      await userEvent.clear(phone)
      await userEvent.type(phone, '+15550001234')
      expect(phone.value).toBe('+1 555 000 1234')
    })
    await userEvent.keyboard('{Backspace}')
    phone.setSelectionRange(6, 6)
    await userEvent.keyboard('9')
    expect(phone.value).toBe('+1 555 900 0123')
    expect(phone.selectionStart).toBe(8)
  })

  it('shows and hides the passwords', async () => {
    await openSignUp()
    await userEvent.click(button('Show password'))
    expect(field('Password').type).toBe('text')
    await userEvent.click(button('Hide password'))
    expect(field('Password').type).toBe('password')
  })
})

describe('the phone step', () => {
  it('PHONE-01 PHONE-02 AUTH-09: names the number a 6-digit code was sent to, before any account is made', async () => {
    await openPhoneStep()
    expect(await screen.findByText(/^We sent a 6-digit code to/)).toBeTruthy()
    const text = screen.getByRole('heading', { name: 'Verify Your Phone' }).nextElementSibling?.textContent
    expect(text?.replace(/(?<=\d) (?=\d)/g, '')).toContain(`We sent a 6-digit code to ${account.phone}`)
    expect(bodiesOf('POST /api/phone/request-code')).toEqual([{ phone: account.phone }])
    expect(server.asked).not.toContain('POST /api/register')
  })

  it('says nothing of a code that was sent until the server has sent it', async () => {
    serve({ 'POST /api/phone/request-code': () => new Promise(() => undefined) })
    await openPhoneStep()
    expect(screen.getByText(/^Sending a 6-digit code to/)).toBeTruthy()
    expect(screen.queryByText(/We sent/)).toBeNull()
  })

  it('PHONE-03 PHONE-05 PHONE-06: has six boxes; typing goes to the next, Backspace in an empty one to the one before', async () => {
    await openPhoneStep()
    expect(screen.getAllByLabelText(/^Digit/)).toHaveLength(6)
    expect(document.activeElement).toBe(field('Digit 1'))
    await userEvent.keyboard('7')
    expect(document.activeElement).toBe(field('Digit 2'))
    await userEvent.keyboard('{Backspace}')
    expect(document.activeElement).toBe(field('Digit 1'))
  })

  it('PHONE-04: spreads a code that a phone fills into the first box, one digit to a box', async () => {
    await openPhoneStep()
    fireEvent.input(field('Digit 1'), { target: { value: '246810' } })
    expect(screen.getAllByLabelText<HTMLInputElement>(/^Digit/).map(({ value }) => value)).toEqual([
      ...'246810',
    ])
    expect(field('Digit 1').maxLength).toBe(6)
    expect(field('Digit 1').autocomplete).toBe('one-time-code')
  })

  it('PHONE-07: disables Verify Code while a box is empty, and focuses it at the sixth digit', async () => {
    await openPhoneStep()
    await typeCode('12345')
    expect(isDisabled(button('Verify Code'))).toBe(true)
    await userEvent.keyboard('6')
    expect(isDisabled(button('Verify Code'))).toBe(false)
    expect(document.activeElement).toBe(button('Verify Code'))
  })

  it('PHONE-08 PHONE-09: reads Verifying... and takes no second press while the code is checked', async () => {
    serve({ 'POST /api/phone/verify-code': () => new Promise(() => undefined) })
    await openPhoneStep()
    await typeCode()
    await userEvent.click(button('Verify Code'))
    const busy = await screen.findByRole('button', { name: 'Verifying...' })
    expect(isDisabled(busy)).toBe(true)
    await userEvent.click(busy)
    await waitFor(() => expect(bodiesOf('POST /api/phone/verify-code')).toEqual([{ code: '123456' }]))
  })

  it('VAL-04: says Please enter all 6 digits when Enter is pressed too early', async () => {
    await openPhoneStep()
    await typeCode('123{Enter}')
    expect((await screen.findByText('Invalid code')).closest('li')?.textContent).toContain(
      'Please enter all 6 digits',
    )
    expect(described(field('Digit 4'))).toBe('Please enter all 6 digits')
  })

  it.each([
    ['with the text of the server', { error: 'That was not it.', code: 'wrong_code' }, 'That was not it.'],
    ['without a text of the server', { code: 'wrong_code' }, 'Please check the code and try again.'],
  ])(
    'ERR-07: says that a code is wrong %s, under the boxes too, and empties and focuses them',
    async (_how, body, text) => {
      serve({ 'POST /api/phone/verify-code': () => ({ status: 403, body }) })
      await openPhoneStep()
      await typeCode()
      await userEvent.keyboard('{Enter}')
      expect((await screen.findByText('Invalid code')).closest('li')?.textContent).toContain(text)
      expect(described(field('Digit 1'))).toBe(text)
      expect(field('Digit 6').value).toBe('')
      expect(document.activeElement).toBe(field('Digit 1'))
    },
  )

  it('ERR-08: says Verification failed when the check breaks', async () => {
    serve({ 'POST /api/phone/verify-code': () => 'no connection' })
    await openPhoneStep()
    await typeCode()
    await userEvent.keyboard('{Enter}')
    expect((await screen.findByText('Verification failed')).closest('li')?.textContent).toContain(
      'Please try again.',
    )
  })

  it('PHONE-10: counts down to the next code', async () => {
    await openPhoneStep()
    expect(isDisabled(await screen.findByRole('button', { name: 'Resend Code (0:30)' }))).toBe(true)
    expect(await screen.findByRole('button', { name: 'Resend Code (0:29)' })).toBeTruthy()
  })

  it('AUTH-06 AUTH-10 STATE-20 ERR-09: makes the account after the phone was verified, without the repeated password', async () => {
    await openPhoneStep()
    await typeCode()
    expect(server.asked).not.toContain('POST /api/register')
    await userEvent.keyboard('{Enter}')
    expect((await screen.findByTestId('place')).textContent).toBe('/settings')
    expect(bodiesOf('POST /api/register')).toEqual([account])
    const order = sent.map(({ call }) => call).filter((call) => call.startsWith('POST'))
    expect(order).toEqual([
      'POST /api/phone/request-code',
      'POST /api/phone/verify-code',
      'POST /api/register',
    ])
    expect(screen.getByText('Phone verified!').closest('li')?.textContent).toContain(
      'Your account has been verified successfully.',
    )
  })
})

const tooMany = (sentence: string, seconds: string): Answer =>
  Promise.resolve({
    status: 429,
    headers: { 'retry-after': seconds },
    body: { error: sentence, code: 'too_many_requests', requestId: 'r' },
  })

describe('before a code is sent', () => {
  it.each([
    ['Email', 'jörg@example.com', 'Enter a valid e-mail address.'],
    ['Phone Number', '+39 333 12', 'No such number can exist. Please check its digits.'],
  ])('the field %s refuses %s, has the focus, and no SMS is spent', async (name, value, sentence) => {
    await fillSignUp()
    fireEvent.input(field(name), { target: { value } })
    await userEvent.click(button('Create Account'))
    await waitFor(() => expect(described(field(name))).toBe(sentence))
    expect(document.activeElement).toBe(field(name))
    expect(bodiesOf('POST /api/phone/request-code')).toEqual([])
  })

  it('a zero that is dialled only inside the country is left out of the number', async () => {
    await fillSignUp()
    fireEvent.input(field('Phone Number'), { target: { value: '+44 (0)20 7946 0018' } })
    await userEvent.click(button('Create Account'))
    await screen.findByRole('heading', { name: 'Verify Your Phone' })
    expect(bodiesOf('POST /api/phone/request-code')).toEqual([{ phone: '+442079460018' }])
  })
})

describe('leaving the phone step', () => {
  it('keeps the form and the code that was sent: no second one is requested, and the wait goes on', async () => {
    await openPhoneStep()
    await screen.findByRole('button', { name: /^Resend Code \(0:/ })
    await userEvent.click(button('Back'))
    expect(field('Full Name').value).toBe(account.fullName)
    expect(field('Confirm Password').value).toBe(account.password)
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Sign Up', selected: true }))
    await userEvent.click(button('Create Account'))
    expect(await screen.findByText('The code we sent still works.')).toBeTruthy()
    expect(screen.getByText('246810')).toBeTruthy()
    expect(isDisabled(button(/^Resend Code \(0:/))).toBe(true)
    expect(bodiesOf('POST /api/phone/request-code')).toHaveLength(1)
  })

  it('leads from Change to the phone number, and sends a code to the new one', async () => {
    await openPhoneStep()
    await userEvent.click(button('Change'))
    expect(document.activeElement).toBe(field('Phone Number'))
    await userEvent.clear(field('Phone Number'))
    await userEvent.type(field('Phone Number'), '+15550009999')
    await userEvent.click(button('Create Account'))
    await waitFor(() =>
      expect(bodiesOf('POST /api/phone/request-code')).toEqual([
        { phone: account.phone },
        { phone: '+15550009999' },
      ]),
    )
  })
})

describe('a code that the server refuses to send', () => {
  it('is not called sent, and the wait shown is the one of the server', async () => {
    serve({ 'POST /api/phone/request-code': () => tooMany('Too many codes.', '3000') })
    await openPhoneStep()
    expect(await screen.findByRole('button', { name: 'Resend Code (50:00)' })).toBeTruthy()
    expect(screen.queryByText(/We sent/)).toBeNull()
    expect(screen.getByRole('heading', { name: 'Verify Your Phone' }).parentElement?.textContent).toContain(
      'Too many codes.',
    )
    expect(screen.queryByText('The code we sent still works.')).toBeNull()
  })

  it('may be requested again at once when the server names no wait', async () => {
    serve({ 'POST /api/phone/request-code': () => 'no connection' })
    await openPhoneStep()
    const resend = await screen.findByRole('button', { name: 'Resend Code' })
    await waitFor(() => expect(isDisabled(resend)).toBe(false))
    serve()
    await userEvent.click(resend)
    expect(await screen.findByText(/^We sent a 6-digit code to/)).toBeTruthy()
  })

  it('D-03: says after a resend that only the newest code counts', async () => {
    const body = { ...codeSent.body, resendAfterSeconds: 0 }
    serve({ 'POST /api/phone/request-code': () => ({ ...codeSent, body }) })
    await openPhoneStep()
    await screen.findByText(/^We sent/)
    expect(screen.queryByText(/Only the newest one counts/)).toBeNull()
    await userEvent.click(button('Resend Code'))
    expect(await screen.findByText('A new code is on its way. Only the newest one counts.')).toBeTruthy()
  })

  it('leaves the code before it valid, and the step says so', async () => {
    serve({
      'POST /api/phone/request-code': () => ({
        ...codeSent,
        body: { ...codeSent.body, resendAfterSeconds: 0 },
      }),
    })
    await openPhoneStep()
    await screen.findByText(/^We sent/)
    serve({ 'POST /api/phone/request-code': () => tooMany('Too many codes.', '60') })
    await userEvent.click(button('Resend Code'))
    expect(await screen.findByText('The code we sent still works.')).toBeTruthy()
    expect(screen.getByText('246810')).toBeTruthy()
    expect(button('Resend Code (1:00)')).toBeTruthy()
  })
})

describe('a registration that the server refuses', () => {
  const taken = { ...refusal(409, 'username_taken').body, error: 'That username is taken.' }

  it('ERR-04: says Registration failed and shows the sentence at the field, and needs no second code', async () => {
    serve({ 'POST /api/register': () => ({ status: 409, body: taken }) })
    await openPhoneStep()
    await typeCode()
    await userEvent.keyboard('{Enter}')
    expect(await screen.findByText('Registration failed')).toBeTruthy()
    expect(described(field('Username'))).toBe(taken.error)
    expect(document.activeElement).toBe(field('Username'))
    expect(field('Password').value).toBe(account.password)

    serve()
    await userEvent.type(field('Username'), '2')
    expect(field('Username').getAttribute('aria-invalid')).toBe('false')
    await userEvent.click(button('Create Account'))
    expect((await screen.findByTestId('place')).textContent).toBe('/settings')
    expect(bodiesOf('POST /api/register').at(-1)).toEqual({ ...account, username: 'kay2' })
    expect(bodiesOf('POST /api/phone/request-code')).toHaveLength(1)
  })

  it('shows a fault that only the server finds at its field', async () => {
    const body = {
      ...refusal(400, 'invalid_request').body,
      fields: { email: 'Enter a valid e-mail address.' },
    }
    serve({ 'POST /api/register': () => ({ status: 400, body }) })
    await openPhoneStep()
    await typeCode()
    await userEvent.keyboard('{Enter}')
    await screen.findByText('Registration failed')
    expect(described(field('Email'))).toBe('Enter a valid e-mail address.')
  })

  it('asks for a new code when the proof of the phone has expired', async () => {
    serve({ 'POST /api/register': () => refusal(403, 'phone_not_verified') })
    await openPhoneStep()
    await typeCode()
    await userEvent.keyboard('{Enter}')
    await screen.findByText('Registration failed')
    serve()
    await userEvent.click(button('Create Account'))
    expect(await screen.findByRole('heading', { name: 'Verify Your Phone' })).toBeTruthy()
    await waitFor(() => expect(bodiesOf('POST /api/phone/request-code')).toHaveLength(2))
  })
})
