import type { User } from '@sumlock/contracts/user'
import { cleanup, fireEvent, render, screen, waitFor, within } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { MemoryRouter, Route, useLocation } from 'react-router-dom'
import { fakeApi, lockedUser, refusal, unlockedUser } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { fakeMessaging } from '../../../test/fake-messaging.tsx'
import { showSignedIn } from '../../../test/show-signed-in.tsx'
import { api } from '../../api/base-api.ts'
import { PlainCalculator } from '../calculator/PlainCalculator.tsx'
import { ConversationList } from '../conversations/ConversationList.tsx'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { Tooltips } from '../../shared/ui/TipButton.tsx'
import { passwordWords } from './password-words.ts'
import { SettingsScreen } from './SettingsScreen.tsx'
import { store, preferences, wrongEntries, toasts as toastStore } from '../../../test/page.ts'

const discreetUser: User = {
  id: lockedUser.id,
  username: 'ada',
  isSetupComplete: true,
  silentCheck: false,
  unlockPausedUntil: null,
}
let server: ReturnType<typeof fakeApi>
let sent: unknown[]

beforeEach(() => {
  wrongEntries.forget()
  sent = []
  localStorage.clear()
  store.dispatch(api.util.resetApiState())
  preferences.change({ theme: 'system', decimals: null, keepsHistory: false })
})
afterEach(() => server.restore())

function serve(user: User, answers: Record<string, Answer> = {}) {
  const recorded = Object.entries(answers).map(([call, answer]) => [
    call,
    (body: unknown) => {
      sent.push(body)
      return answer
    },
  ])
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: user }),
    ...(Object.fromEntries(recorded) as Record<string, (body: unknown) => Answer>),
  })
}

const show = () => showSignedIn(<Route path="/settings" element={<SettingsScreen />} />, '/settings')

it('the settings screen shows a locked account in discreet mode the settings of a calculator, its name and Logout', async () => {
  serve(discreetUser)
  show()
  expect(await screen.findByText('ada')).toBeTruthy()
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
    'Settings',
    'Appearance',
    'Calculation',
    'Account',
  ])
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    '',
    'Clear history',
    'Logout',
  ])
  expect(document.body.textContent).not.toMatch(/messag|unlock|password|discreet|premium|code|session/i)
})

it('the settings screen shows the end of a pause, without naming it in discreet mode', async () => {
  const pausedUntil = new Date(2026, 5, 1, 14, 5).toISOString()
  serve({ ...discreetUser, unlockPausedUntil: pausedUntil })
  const { unmount } = show()
  expect((await screen.findByText('Paused until')).parentElement?.textContent).toMatch(/0?2:05|14:05/)
  unmount()
  server.restore()
  store.dispatch(api.util.resetApiState())
  serve({ ...lockedUser, unlockPausedUntil: pausedUntil })
  show()
  expect(await screen.findByText(/^Unlocking is paused until (0?2:05|14:05)/)).toBeTruthy()
})

const unverified = { ...lockedUser, isEmailVerified: false, email: 'ada@example.com' } as User
const resendVerification = 'POST /api/email/resend-verification'

it('SET-12: the settings screen asks to verify the e-mail address until it is verified, in another tab too', async () => {
  serve(unverified)
  show()
  expect(await screen.findByRole('heading', { name: 'Verify your email address' })).toBeTruthy()
  expect(screen.getByText('We sent a link to ada@example.com.')).toBeTruthy()
  server.answers['GET /api/user'] = () => ({ status: 200, body: { ...unverified, isEmailVerified: true } })
  fireEvent(document, new Event('visibilitychange'))
  await waitFor(() => expect(screen.queryByText('Verify your email address')).toBeNull())
  expect(screen.getByText('Your unique code')).toBeTruthy()
})

it.each([
  [
    { status: 200, body: {} },
    'Verification Email Sent',
    'Please check your inbox and spam folder',
    'default',
  ],
  [refusal(429, 'Too fast.'), 'Failed to Send Email', 'Too fast.', 'destructive'],
  [{ status: 500 }, 'Failed to Send Email', 'Please try again later', 'destructive'],
])(
  'ERR-14 ERR-15: a new verification mail is sent, or the reason shown why not',
  async (answer, title, description, variant) => {
    serve(unverified, { [resendVerification]: answer })
    show()
    await userEvent.click(await screen.findByRole('button', { name: 'Resend Verification Email' }))
    await waitFor(() => expect(toastStore.get()).toMatchObject({ title, description, variant }))
    expect(sent).toEqual([undefined])
  },
)

const cardOf = async (heading: string) =>
  (await screen.findByRole('heading', { name: heading })).parentElement as HTMLElement

it.each([
  ['free', 'Free Plan', 'Premium'],
  ['premium', 'Premium', 'Free Plan'],
])('SET-15: the subscription of a %s user reads %s', async (subscriptionType, shown, hidden) => {
  serve({ ...lockedUser, subscriptionType } as User)
  show()
  const card = within(await cardOf('Subscription'))
  expect(card.getByText(shown)).toBeTruthy()
  expect(card.queryByText(hidden)).toBeNull()
})

it('SET-11: the settings screen leads back to the calculator while locked', async () => {
  serve(lockedUser)
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'Back' }))
  expect(await screen.findByText('elsewhere')).toBeTruthy()
})

it('SET-14 ERR-34: the settings screen copies the user code, and says so', async () => {
  serve(lockedUser)
  const copied: string[] = []
  const writeText = (text: string) => Promise.resolve(void copied.push(text))
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'Copy code' }))
  Reflect.deleteProperty(navigator, 'clipboard')
  expect(copied).toEqual(['ABCD-EFGH-J'])
  expect(toastStore.get()).toMatchObject({
    title: 'Copied to clipboard',
    description: 'Your user code has been copied',
  })
})

it('the settings screen shows the legal documents', async () => {
  serve(lockedUser)
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'Terms of Use' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Terms of Use' }))
  expect(await dialog.findByText(/One person, one account/)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Back' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('the settings screen changes the calculator’s theme, decimals and history, and stores them on the device', async () => {
  serve(discreetUser)
  const settings = show()
  await userEvent.click(await screen.findByRole('radio', { name: 'Dark' }))
  expect(document.documentElement.dataset['theme']).toBe('dark')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Decimal places' }), '2')
  await userEvent.click(screen.getByRole('switch', { name: 'Keep history' }))
  settings.unmount()

  const first = render(<PlainCalculator />)
  await userEvent.keyboard('1/8=')
  expect(screen.getByRole('status', { name: 'Result' }).textContent).toBe('0.13')
  first.unmount()
  const second = render(<PlainCalculator />)
  expect(within(screen.getByRole('region', { name: 'History' })).getByText('0.13')).toBeTruthy()
  expect(Object.keys(localStorage).sort()).toEqual(['calc.h', 'calc.p'])
  second.unmount()

  show()
  await userEvent.click(await screen.findByRole('button', { name: 'Clear history' }))
  expect(localStorage.getItem('calc.h')).toBeNull()
  expect(screen.getByRole('switch', { name: 'Keep history' }).getAttribute('aria-checked')).toBe('true')
})

it('the settings screen focuses the title, and a row that disables itself keeps the focus', async () => {
  serve(discreetUser)
  preferences.change({ keepsHistory: true })
  localStorage.setItem('calc.h', JSON.stringify([{ expression: '1 + 1', result: '2' }]))
  show()
  const title = await screen.findByRole('heading', { name: 'Settings' })
  expect(document.activeElement).toBe(title)
  const clear = screen.getByRole('button', { name: 'Clear history' })
  await userEvent.click(clear)
  expect(clear.getAttribute('aria-disabled')).toBe('true')
  expect(document.activeElement).toBe(clear)
})

it('the settings screen keeps the focus on the switch of discreet mode during the request', async () => {
  serve(unlockedUser, { 'POST /api/discreet-mode': new Promise(() => undefined) })
  show()
  const discreet = await screen.findByRole('switch', { name: 'Discreet mode' })
  await userEvent.click(discreet)
  await waitFor(() => expect(discreet.getAttribute('aria-disabled')).toBe('true'))
  expect(document.activeElement).toBe(discreet)
  await userEvent.click(discreet)
  expect(sent).toHaveLength(1)
})

it('the settings screen switches discreet mode at the server', async () => {
  serve(unlockedUser, { 'POST /api/discreet-mode': { status: 200, body: { ok: true } } })
  show()
  await userEvent.click(await screen.findByRole('switch', { name: 'Discreet mode' }))
  await waitFor(() => expect(sent).toEqual([{ isDiscreet: true }]))
})

it('the settings screen asks to unlock first when discreet mode may not be switched', async () => {
  serve(lockedUser, { 'POST /api/discreet-mode': refusal(403, 'step_up_required') })
  show()
  await userEvent.click(await screen.findByRole('switch', { name: 'Discreet mode' }))
  expect(await screen.findByText('Please unlock first to change this.')).toBeTruthy()
})

const switches = [
  {
    ...{ call: '/api/notification-preferences', field: 'signInMails', name: 'E-mail me about sign-ins' },
    sentence: 'E-mails about changes of your account are always sent.',
  },
  {
    ...{
      call: '/api/conversation-preferences',
      field: 'asksFirst',
      name: 'Ask me before a new conversation',
    },
    sentence: 'The first message of someone new waits as a request until you accept it.',
  },
  {
    ...{ call: '/api/conversation-preferences', field: 'showsRead', name: 'Read receipts' },
    sentence:
      'Both of you need it on, and what was read while it is off shows as read once something newer is read while it is on.',
  },
] as const

it.each(switches)(
  'the settings screen of an unlocked account turns "$name" off alone, and shows why it could not',
  async ({ call, field, name, sentence }) => {
    const stored: Record<string, boolean> = { signInMails: true, asksFirst: true, showsRead: true }
    serve(unlockedUser)
    for (const { call: of } of switches)
      server.answers[`GET ${of}`] = () => ({ status: 200, body: { ...stored } })
    server.answers[`PUT ${call}`] = (body) => {
      sent.push(body)
      return { status: 200, body: Object.assign(stored, body) }
    }
    show()
    const toggle = await screen.findByRole('switch', { name })
    await waitFor(() => expect(toggle.getAttribute('aria-disabled')).toBe('false'))
    expect(toggle.getAttribute('aria-checked')).toBe('true')
    expect(screen.getByText(sentence)).toBeTruthy()
    await userEvent.click(toggle)
    await waitFor(() => expect(toggle.getAttribute('aria-checked')).toBe('false'))
    expect(sent).toEqual([{ [field]: false }])
    server.answers[`PUT ${call}`] = () => refusal(503, 'The service is busy.')
    await waitFor(() => expect(toggle.getAttribute('aria-disabled')).toBe('false'))
    await userEvent.click(toggle)
    expect(await screen.findByText('The service is busy.')).toBeTruthy()
    expect(toggle.getAttribute('aria-checked')).toBe('false')
  },
)

it.each(switches)(
  'the settings screen of a locked account does not show "$name" and does not ask for it',
  async ({ call, name }) => {
    serve(lockedUser)
    show()
    expect(await screen.findByRole('switch', { name: 'Discreet mode' })).toBeTruthy()
    expect(screen.queryByRole('switch', { name })).toBeNull()
    expect(server.asked).not.toContain(`GET ${call}`)
  },
)

const setUp = async (pin: string) => {
  await userEvent.type(await screen.findByLabelText('Security Password'), pin)
  await userEvent.type(screen.getByLabelText('Confirm Security Password'), pin)
  await userEvent.click(screen.getByRole('button', { name: 'Set Password & Continue' }))
}
const notSetUp = { ...lockedUser, isSetupComplete: false }
const setUpCall = { 'POST /api/setup-numeric-password': { status: 200, body: { ok: true } } }

it('the settings screen offers discreet mode at the set-up, off until it is chosen', async () => {
  serve(notSetUp, setUpCall)
  const { unmount } = show()
  await setUp('1815')
  await waitFor(() => expect(sent).toEqual([{ numericPassword: '1815', isDiscreet: false }]))
  unmount()
  show()
  await userEvent.click(await screen.findByRole('switch', { name: 'Discreet mode' }))
  await setUp('1815')
  await waitFor(() => expect(sent[1]).toEqual({ numericPassword: '1815', isDiscreet: true }))
})

it('the settings screen offers discreet mode as it was at the set-up after a reset', async () => {
  serve({ ...notSetUp, isDiscreet: true }, setUpCall)
  show()
  const discreet = await screen.findByRole('switch', { name: 'Discreet mode' })
  expect(discreet.getAttribute('aria-checked')).toBe('true')
  const described = discreet.getAttribute('aria-describedby') ?? ''
  expect(document.getElementById(described)?.textContent).toMatch(/disappear, and the digits .* show/)
  await setUp('1815')
  await waitFor(() => expect(sent).toEqual([{ numericPassword: '1815', isDiscreet: true }]))
})

it('the settings screen of a locked account in discreet mode shows no set-up after a reset', async () => {
  serve({ ...discreetUser, isSetupComplete: false })
  show()
  expect(await screen.findByRole('heading', { name: 'Calculation' })).toBeTruthy()
  expect(screen.queryByLabelText('Security Password')).toBeNull()
})

it('the settings screen warns of a common number while it is typed, but accepts it', async () => {
  serve(notSetUp, setUpCall)
  show()
  const field = await screen.findByLabelText('Security Password')
  await userEvent.type(field, '123')
  expect(screen.queryByText(/Many people choose this number/)).toBeNull()
  await userEvent.type(field, '4')
  expect(screen.getByText(/Many people choose this number/)).toBeTruthy()
  await userEvent.clear(field)
  await setUp('1234')
  await waitFor(() => expect(sent).toHaveLength(1))
})

async function showConversations() {
  const { Wrapper } = await fakeMessaging()
  return render(
    <Wrapper>
      <MemoryRouter initialEntries={['/messaging']}>
        <AuthProvider>
          <Tooltips>
            <ConversationList openId={undefined} />
          </Tooltips>
        </AuthProvider>
      </MemoryRouter>
    </Wrapper>,
  )
}

it('the conversation list shows once how many wrong entries preceded the unlock', async () => {
  serve(unlockedUser)
  wrongEntries.keep({ wrongEntries: 3 })
  const { unmount } = await showConversations()
  expect(await screen.findByText('3 wrong entries since you last unlocked')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByText(/wrong entries/)).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  unmount()
  await showConversations()
  expect(screen.queryByText(/wrong entries/)).toBeNull()
})

it('the conversation list shows wrong account passwords as it shows wrong entries', async () => {
  serve(unlockedUser)
  wrongEntries.keep({ wrongEntries: 1, wrongPasswords: 12 })
  const { unmount } = await showConversations()
  expect(await screen.findByText('12 wrong passwords since you last unlocked')).toBeTruthy()
  expect(screen.getByText('1 wrong entry since you last unlocked')).toBeTruthy()
  unmount()
  wrongEntries.keep({ wrongPasswords: 1 })
  await showConversations()
  expect(await screen.findByText('1 wrong password since you last unlocked')).toBeTruthy()
  expect(screen.queryByText(/wrong entr/)).toBeNull()
})

it('the conversation list shows once which reset was cancelled', async () => {
  serve(unlockedUser)
  wrongEntries.keep({ cancelledResetDueAt: '2026-11-29T14:20:00.000Z' })
  await showConversations()
  expect(await screen.findByText('“Reset app” was cancelled')).toBeTruthy()
  expect(screen.getByText(/On 29 Nov 2026, .* it would have deleted your conversations/)).toBeTruthy()
})

it('the settings and the conversation list show a reset that waits, until when, and how to cancel it', async () => {
  const resetDueAt = '2026-11-29T14:20:00.000Z'
  serve({ ...lockedUser, resetDueAt })
  show()
  expect(await screen.findByText(/“Reset app” takes place on 29 Nov 2026/)).toBeTruthy()
  expect(screen.getByText(/To cancel it, enter your number on any device/)).toBeTruthy()
  cleanup()
  server.restore()
  serve({ ...unlockedUser, resetDueAt })
  await showConversations()
  expect(await screen.findByText(/“Reset app” takes place on 29 Nov 2026/)).toBeTruthy()
  expect(screen.getByText(/To cancel it, lock and enter your number/)).toBeTruthy()
})

it('the notice of wrong entries ends the other sessions with the account password', async () => {
  const call = 'POST /api/sessions/end-others'
  const answers: Record<string, Answer> = { [call]: refusal(403, 'wrong_credentials') }
  serve(unlockedUser, answers)
  wrongEntries.keep({ wrongEntries: 1 })
  await showConversations()
  expect(await screen.findByText('1 wrong entry since you last unlocked')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'End other sessions' }))
  const dialog = within(screen.getByRole('dialog', { name: 'End other sessions' }))
  expect(document.activeElement).toBe(dialog.getByLabelText('Account password'))
  await userEvent.click(dialog.getByRole('button', { name: 'End other sessions' }))
  expect(dialog.getByText('Enter your account password.')).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('Account password'), 'wrong')
  await userEvent.click(dialog.getByRole('button', { name: 'End other sessions' }))
  expect(await dialog.findByText('This is not your account password.')).toBeTruthy()
  expect(document.activeElement).toBe(dialog.getByLabelText('Account password'))

  server.restore()
  serve(unlockedUser, { [call]: { status: 200, body: { ok: true } } })
  await userEvent.click(dialog.getByRole('button', { name: 'End other sessions' }))
  const done = await dialog.findByRole('button', { name: 'Done' })
  expect(document.activeElement).toBe(done)
  await userEvent.click(done)
  expect(sent.at(-1)).toEqual({ password: 'wrong' })
  expect(screen.queryByText(/wrong entry/)).toBeNull()
})

it('the conversation list still shows the wrong entries when ending the other sessions was cancelled', async () => {
  serve(unlockedUser)
  wrongEntries.keep({ wrongEntries: 2 })
  await showConversations()
  await userEvent.click(await screen.findByRole('button', { name: 'End other sessions' }))
  await userEvent.click(
    within(screen.getByRole('dialog', { name: 'End other sessions' })).getByRole('button', {
      name: 'Cancel',
    }),
  )
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getByText('2 wrong entries since you last unlocked')).toBeTruthy()
})

it('the settings screen offers to end the other sessions', async () => {
  serve(unlockedUser, { 'POST /api/sessions/end-others': { status: 200, body: { ok: true } } })
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'End other sessions' }))
  const dialog = within(screen.getByRole('dialog', { name: 'End other sessions' }))
  await userEvent.type(dialog.getByLabelText('Account password'), 'right')
  await userEvent.click(dialog.getByRole('button', { name: 'End other sessions' }))
  expect(await dialog.findByText('You are signed out everywhere else.')).toBeTruthy()
  expect(sent).toEqual([{ password: 'right' }])
})

it.each([
  [0, 1],
  [1, 0],
])(
  'SET-16: a free user who sent %i messages today sees how many remain: %i',
  async (dailyMessageCount, left) => {
    serve({ ...unlockedUser, subscriptionType: 'free', dailyMessageCount })
    show()
    expect(await screen.findByText(`Messages remaining today: ${left}`)).toBeTruthy()
  },
)

it('SET-16 D-38: a free user whose session is locked sees no count', async () => {
  serve({ ...lockedUser, subscriptionType: 'free', dailyMessageCount: null })
  show()
  expect(await screen.findByText('Free Plan')).toBeTruthy()
  expect(screen.queryByText(/remaining today/)).toBeNull()
})

it.each([
  ['unlocked', '/messaging', null],
  ['locked', '/', { passwordMode: true }],
])(
  'SET-22 D-06: Access Secure Messaging leads from a session that is %s to %s',
  async (state, address, passed) => {
    serve(state === 'unlocked' ? unlockedUser : lockedUser)
    function Place() {
      const { pathname, state: given } = useLocation()
      return <p data-testid="place">{JSON.stringify([pathname, given])}</p>
    }
    showSignedIn(
      <>
        <Route path="/settings" element={<SettingsScreen />} />
        <Route path="*" element={<Place />} />
      </>,
      '/settings',
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Access Secure Messaging' }))
    expect((await screen.findByTestId('place')).textContent).toBe(JSON.stringify([address, passed]))
  },
)

it('the settings screen shows the account, then purchases, security, privacy and the calculator', async () => {
  serve({ ...unlockedUser, subscriptionType: 'free', dailyMessageCount: 0 })
  show()
  await screen.findByRole('heading', { name: 'Account' })
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
    'Settings',
    'Signed in as',
    'Your unique code',
    'Account',
    'Subscription',
    'Gift Premium Access - $29',
    'Redeem Upgrade Code',
    'Promo Code',
    'Security',
    'Privacy',
    'Appearance',
    'Calculation',
    'Legal',
  ])
  const rowsOf = (group: string) =>
    within(screen.getByRole('region', { name: group }))
      .getAllByRole('button')
      .map(({ textContent }) => textContent)
  expect(rowsOf('Privacy')).toEqual(['Export my data', 'Access log', 'Delete account'])
  expect(rowsOf('Security')).not.toContain('Delete account')
})

it('the settings screen explains the two passwords once, in the words of the dialog that changes one', async () => {
  serve(unlockedUser)
  show()
  expect(await screen.findAllByText(passwordWords)).toHaveLength(1)
  await userEvent.click(screen.getByRole('button', { name: 'Change account password' }))
  const dialog = screen.getByRole('dialog')
  expect(dialog.textContent).toContain(passwordWords)
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
})
