import { act, render, screen, waitFor, within } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { conversationWith } from '../../../test/conversation-with.ts'
import { fakeApi, unlockedUser } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { fakeMessaging, messageAt } from '../../../test/fake-messaging.tsx'
import { OpenedLinkContext } from '../device/opened-link.ts'
import type { OpenedLink } from '../device/opened-link.ts'
import { Tooltips } from '../../shared/ui/TipButton.tsx'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { ChatScreen } from '../chat/ChatScreen.tsx'
import { MessagingLayout } from './MessagingLayout.tsx'

const list = 'GET /api/conversations'
const page = 'GET /api/conversations/c/messages?limit=50'
const freeUser = {
  ...unlockedUser,
  email: 'ada@example.com',
  phone: '+15550100001',
  fullName: 'Ada',
  isPhoneVerified: true,
  isEmailVerified: false,
  isAdmin: false,
  createdAt: '2026-11-20T00:00:00.000Z',
  subscriptionType: 'free',
  subscriptionExpiresAt: null,
  dailyMessageCount: 0,
  lastMessageDate: null,
}
let server: ReturnType<typeof fakeApi>
let messaging: Awaited<ReturnType<typeof fakeMessaging>>

beforeEach(async () => {
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: freeUser }),
    [list]: () => ({ status: 200, body: [conversationWith()] }),
    [page]: () => ({ status: 200, body: [messageAt(4, { senderId: 'me' }), messageAt(5, { isRead: true })] }),
    'POST /api/conversations/c/read': () => ({ status: 200, body: {} }),
  })
  messaging = await fakeMessaging({ connected: true })
})
afterEach(() => {
  act(() => server.restore())
  messaging.close()
})

function show(path: string, link: OpenedLink | null = null) {
  const { Wrapper } = messaging
  return render(
    <Wrapper>
      <MemoryRouter initialEntries={[path]}>
        <AuthProvider>
          <Tooltips>
            <OpenedLinkContext value={link}>
              <Routes>
                <Route element={<MessagingLayout />}>
                  <Route path="/messaging" element={null} />
                  <Route path="/conversation/:id" element={<ChatScreen />} />
                </Route>
                <Route path="/settings" element={<p>the settings</p>} />
              </Routes>
            </OpenedLinkContext>
          </Tooltips>
        </AuthProvider>
      </MemoryRouter>
    </Wrapper>,
  )
}
const later = () => {
  let answer: (given: Exclude<Answer, string | Promise<unknown>>) => void = () => undefined
  return {
    wait: () => new Promise<{ status: number; body?: unknown }>((done) => (answer = done)),
    answer: (given: { status: number; body?: unknown }) => answer(given),
  }
}

describe('the list', () => {
  it('CONV-01 CONV-04 CONV-12: has its title and its banner, and says that it loads', async () => {
    const { wait, answer } = later()
    server.answers[list] = wait
    show('/messaging')
    expect(await screen.findByRole('heading', { level: 1, name: 'Secure Messages' })).toBeTruthy()
    expect(screen.getByText('Swipe right to quickly return to calculator')).toBeTruthy()
    expect(screen.getByText('Loading conversations...')).toBeTruthy()
    await waitFor(() => expect(server.asked).toContain(list))
    act(() => answer({ status: 200, body: [] }))
    expect(await screen.findByText('No conversations yet')).toBeTruthy()
    expect(screen.queryByText('Loading conversations...')).toBeNull()
  })

  it('CONV-06 CONV-07 CONV-08 CONV-09: a row shows name, time, text and code', async () => {
    const at = new Date(Date.now() - 5 * 60_000).toISOString()
    server.answers[list] = () => ({
      status: 200,
      body: [conversationWith({ lastMessageAt: at, unreadCount: 3 })],
    })
    show('/messaging')
    const row = await screen.findByRole('link', { name: /ben/ })
    expect(within(row).getByText('ben')).toBeTruthy()
    expect(within(row).getByText('5 min')).toBeTruthy()
    expect(within(row).getByText('no. 5')).toBeTruthy()
    expect(within(row).getByText('ABCD-EFGH-J')).toBeTruthy()
    expect(row.textContent).toContain('3 unread')
  })

  it('the row of the conversation that is open beside the list keeps its preview', async () => {
    const { matchMedia } = window
    window.matchMedia = (query) => ({ ...matchMedia(query), matches: true })
    show('/conversation/c')
    const row = await screen.findByRole('link', { name: /ben/, current: 'page' })
    expect(within(row).getByText('no. 5')).toBeTruthy()
    window.matchMedia = matchMedia
  })

  it('says who wrote last, and what was not sent or only begun', async () => {
    const lastMessage = {
      content: 'mine',
      messageType: 'text' as const,
      senderId: 'me',
      seq: 5,
      isRead: true,
    }
    server.answers[list] = () => ({ status: 200, body: [conversationWith({ lastMessage })] })
    show('/messaging')
    const row = await screen.findByRole('link', { name: /ben/ })
    expect(row.textContent).toContain('read You: mine')
    act(() => messaging.drafts.set('c', 'half a'))
    expect(row.textContent).toContain('Draft: half a')
  })

  it('CONV-13 CONV-14: a free user reads what remains today, and gets a link to the settings', async () => {
    server.answers[list] = () => ({
      status: 200,
      body: [conversationWith({ unlimited: false, messagesRemaining: 0, canSend: false })],
    })
    show('/messaging')
    expect(await screen.findByText('Messages remaining today: 0')).toBeTruthy()
    await userEvent.click(screen.getByRole('link', { name: 'Upgrade to Premium' }))
    expect(screen.getByText('the settings')).toBeTruthy()
  })

  it('a free user reads what remains once, and that conversations without a limit do not count', async () => {
    const covered = conversationWith({ id: 'c1', unlimited: true, messagesRemaining: 1 })
    const counted = conversationWith({ id: 'c2', unlimited: false, messagesRemaining: 0, canSend: false })
    server.answers[list] = () => ({ status: 200, body: [covered, counted] })
    const { unmount } = show('/messaging')
    await screen.findByText('Some conversations have no limit.')
    expect(screen.getAllByText(/^Messages remaining today/).map((line) => line.textContent)).toEqual([
      'Messages remaining today: 0',
    ])
    unmount()
    act(() => server.restore())
    server = fakeApi({ ...server.answers, [list]: () => ({ status: 200, body: [covered] }) })
    show('/messaging')
    expect(await screen.findByText('Your conversations have no limit.')).toBeTruthy()
  })

  it('an empty list offers one action and the own code, and the dialog of a new conversation shows it too', async () => {
    server.answers[list] = () => ({ status: 200, body: [] })
    show('/messaging')
    await userEvent.click(await screen.findByRole('button', { name: 'Enter a code' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'New conversation' }))
    expect(dialog.getByText('ABCD-EFGH-J')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByText('ABCD-EFGH-J')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Copy code' })).toBeTruthy()
  })

  it('a link with a code opens the dialog of a new conversation with it, once', async () => {
    const codes = ['7KQ2-M9XD-3']
    const link = { code: () => codes[0] ?? null, forget: () => void codes.pop() }
    server.answers[list] = () => ({ status: 200, body: [conversationWith()] })
    const { unmount } = show('/messaging', link)
    expect((await screen.findByLabelText<HTMLInputElement>('User code')).value).toBe('7KQ2-M9XD-3')
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    unmount()
    show('/messaging', link)
    expect(await screen.findByRole('link', { name: /ben/ })).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('CONV-16 CONV-17: drops blanks around a code, and starts nothing without one or after Cancel', async () => {
    const started: unknown[] = []
    server.answers['POST /api/conversations'] = (body) => {
      started.push(body)
      return { status: 201, body: conversationWith() }
    }
    show('/messaging')
    const open = async () => userEvent.click(await screen.findByRole('button', { name: 'New conversation' }))
    await open()
    await userEvent.click(screen.getByRole('button', { name: 'Start' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await open()
    await userEvent.type(screen.getByLabelText('User code'), 'ABCD')
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(started).toEqual([])
    await open()
    await userEvent.clear(screen.getByLabelText('User code'))
    await userEvent.type(screen.getByLabelText('User code'), '  ABCD-EFGH-J ')
    await userEvent.click(screen.getByRole('button', { name: 'Start' }))
    await waitFor(() => expect(started).toEqual([{ userCode: 'ABCD-EFGH-J' }]))
  })

  it('can be searched from six conversations on', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        conversationWith({
          id: `c${index}`,
          otherUser: { id: `p${index}`, username: `person ${index}`, userCode: `CODE-000${index}-X` },
        }),
      )
    server.answers[list] = () => ({ status: 200, body: many(6) })
    const { unmount } = show('/messaging')
    await userEvent.type(await screen.findByRole('searchbox'), 'SON 3')
    expect(screen.getAllByRole('listitem')).toHaveLength(1)
    await userEvent.clear(screen.getByRole('searchbox'))
    await userEvent.type(screen.getByRole('searchbox'), 'nobody')
    expect(screen.getByText('No conversation matches “nobody”.')).toBeTruthy()
    unmount()
    act(() => server.restore())
    server = fakeApi({ ...server.answers, [list]: () => ({ status: 200, body: many(5) }) })
    show('/messaging')
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(5))
    expect(screen.queryByRole('searchbox')).toBeNull()
  })

  it('offers Retry when it could not be loaded, and keeps what it has when a refresh fails', async () => {
    server.answers[list] = () => ({ status: 500, body: {} })
    show('/messaging')
    const retry = await screen.findByRole('button', { name: 'Retry' })
    server.answers[list] = () => ({ status: 200, body: [conversationWith()] })
    await userEvent.click(retry)
    expect(await screen.findByText('ben')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
  })
})

describe('a chat', () => {
  it('CHAT-08 CHAT-11: own messages stand on the right, the others on the left, each with its relative time', async () => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    server.answers[page] = () => ({
      status: 200,
      body: [messageAt(4, { senderId: 'me', createdAt: ago(185) }), messageAt(5, { createdAt: ago(5) })],
    })
    show('/conversation/c')
    const [own, other] = await screen.findAllByRole('article')
    expect(own?.parentElement?.className).toContain('justify-end')
    expect(own?.textContent).toMatch(/^You: no\. 4/)
    expect(other?.parentElement?.className).toContain('justify-start')
    expect(other?.textContent).toMatch(/^They: no\. 5/)
    expect(own?.querySelector('time')?.textContent).toBe('3 h')
    expect(other?.querySelector('time')?.textContent).toBe('5 min')
  })

  it('D-37: the send button stays enabled during a send, and the next message waits for it', async () => {
    const sent: string[] = []
    const { wait: answered, answer } = later()
    server.answers['POST /api/messages'] = (body) => {
      sent.push((body as { content: string }).content)
      return answered()
    }
    show('/conversation/c')
    const box = await screen.findByPlaceholderText<HTMLTextAreaElement>('Type your message...')
    const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send' })
    await userEvent.type(box, 'one')
    await userEvent.click(button())
    await waitFor(() => expect(sent).toEqual(['one']))
    await userEvent.type(box, 'two')
    expect(button().disabled).toBe(false)
    await userEvent.click(button())
    expect(box.value).toBe('')
    expect(sent).toEqual(['one'])
    act(() => answer({ status: 201, body: messageAt(6, { senderId: 'me', content: 'one' }) }))
    await waitFor(() => expect(sent).toEqual(['one', 'two']))
  })

  it('CHAT-14 CHAT-15 CHAT-17 STATE-28: Shift+Enter makes a new line, the button sends and empties the box', async () => {
    const sent: unknown[] = []
    server.answers['POST /api/messages'] = (body) => {
      sent.push((body as { content: string }).content)
      return { status: 201, body: messageAt(6, { senderId: 'me', ...(body as object) }) }
    }
    show('/conversation/c')
    const box = await screen.findByPlaceholderText<HTMLTextAreaElement>('Type your message...')
    expect(box.tagName).toBe('TEXTAREA')
    await userEvent.type(box, 'one{Shift>}{Enter}{/Shift}two')
    expect(box.value).toBe('one\ntwo')
    expect(sent).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Send' }))
    expect(box.value).toBe('')
    await waitFor(() => expect(sent).toEqual(['one\ntwo']))
  })

  it('CHAT-19 CHAT-20 VAL-24 VAL-27: the last free message is announced; without one, box and button are disabled', async () => {
    server.answers[list] = () => ({ status: 200, body: [conversationWith({ unlimited: false })] })
    const { unmount } = show('/conversation/c')
    expect(await screen.findByText('This will use your last free message today')).toBeTruthy()
    unmount()
    act(() => server.restore())
    server = fakeApi({
      ...server.answers,
      [list]: () => ({ status: 200, body: [conversationWith({ unlimited: false, canSend: false })] }),
    })
    show('/conversation/c')
    const sentence = 'Daily message limit reached. Upgrade to premium for unlimited messages.'
    expect(await screen.findByText(sentence)).toBeTruthy()
    expect(screen.getByText(/^Next free message at /)).toBeTruthy()
    expect(screen.getByLabelText<HTMLTextAreaElement>('Message').disabled).toBe(true)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
  })
})

it('a change of the width of the window keeps the new conversation dialog and the code typed in it', async () => {
  const real = window.matchMedia
  const listeners = new Set<() => void>()
  let isWide = false
  window.matchMedia = (query) =>
    ({
      matches: isWide && query.includes('1300px'),
      addEventListener: (_type: string, listener: () => void) => listeners.add(listener),
      removeEventListener: (_type: string, listener: () => void) => listeners.delete(listener),
    }) as never
  show('/messaging')
  await userEvent.click(await screen.findByRole('button', { name: 'New conversation' }))
  await userEvent.type(screen.getByLabelText('User code'), 'ABCD')
  expect(screen.queryByRole('navigation', { hidden: true })).toBeNull()
  isWide = true
  act(() => listeners.forEach((listener) => listener()))
  expect(screen.getByRole('navigation', { hidden: true })).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('User code').value).toBe('ABCD')
  window.matchMedia = real
})
