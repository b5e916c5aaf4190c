import { reportConversation } from '@sumlock/contracts/conversation-state-routes'
import { limits } from '@sumlock/contracts/limits'
import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { act, render, screen, waitFor } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { ChatAndList } from '../../../test/chat-and-list.tsx'
import { conversationWith } from '../../../test/conversation-with.ts'
import { fakeApi, refusal, unlockedUser } from '../../../test/fake-api.ts'
import { fakeMessaging, messageAt } from '../../../test/fake-messaging.tsx'

const change = 'PUT /api/conversations/c/state'
const report = 'POST /api/conversations/c/reports'
let row: Conversation
let sent: { call: string; body: unknown }[]
let server: ReturnType<typeof fakeApi>
let messaging: Awaited<ReturnType<typeof fakeMessaging>>

beforeEach(async () => {
  row = conversationWith()
  sent = []
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: unlockedUser }),
    'GET /api/conversations': () => ({ status: 200, body: [row] }),
    'GET /api/conversations/c/messages?limit=50': () => ({
      status: 200,
      body: [messageAt(4, { isRead: true }), messageAt(5, { isRead: true, content: '' })],
    }),
    [change]: (body) => {
      sent.push({ call: change, body })
      row = { ...row, ...(body as object) }
      return { status: 200, body: row }
    },
    [report]: (body) => {
      sent.push({ call: report, body })
      return { status: 201, body: { ok: true } }
    },
  })
  messaging = await fakeMessaging()
})
afterEach(() => {
  act(() => server.restore())
  messaging.close()
})

const open = (address = '/conversation/c') =>
  render(
    <messaging.Wrapper>
      <ChatAndList address={address} />
    </messaging.Wrapper>,
  )
const press = async (name: string) =>
  userEvent.click((await screen.findAllByRole('button', { name })).at(-1) as HTMLElement)

it('a person is blocked after a warning and unblocked in place of the composer', async () => {
  open()
  await press('Conversation options')
  await press('Block')
  expect(await screen.findByText(/also not after unblocking. ben is not told/)).toBeTruthy()
  expect(sent).toEqual([])
  const answer = server.answers[change]
  server.answers[change] = () => refusal(503, 'unavailable')
  await press('Block')
  expect(await screen.findByText('unavailable')).toBeTruthy()
  server.answers[change] = answer as never
  await press('Block')
  expect(await screen.findByText('You blocked ben.')).toBeTruthy()
  expect(screen.queryByLabelText('Message')).toBeNull()
  await press('Unblock')
  expect(await screen.findByLabelText('Message')).toBeTruthy()
  expect(sent.map(({ body }) => body)).toEqual([{ isBlocked: true }, { isBlocked: false }])
})

it('a conversation is muted, and the menu offers to end that', async () => {
  open()
  await press('Conversation options')
  await press('Mute')
  await waitFor(() => expect(sent).toEqual([{ call: change, body: { isMuted: true } }]))
  await press('Conversation options')
  expect(await screen.findByRole('button', { name: 'Unmute' })).toBeTruthy()
})

it('a report names the received messages that are shown, and lets them be read only if that is chosen', async () => {
  open()
  await screen.findByText('no. 4')
  for (const isAttaching of [false, true]) {
    await press('Conversation options')
    await press('Report')
    if (isAttaching)
      await userEvent.click(
        await screen.findByRole('checkbox', { name: 'Let our team read the last message from ben' }),
      )
    else await userEvent.type(await screen.findByLabelText('What happened? (optional)'), 'Spam')
    await press('Send report')
    await waitFor(() => expect(sent).toHaveLength(isAttaching ? 2 : 1))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Send report' })).toBeNull())
  }
  const messageIds = [messageAt(4).id]
  expect(sent.map(({ body }) => body)).toEqual([
    { messageIds, note: 'Spam' },
    { messageIds, contents: [{ id: messageAt(4).id, text: 'no. 4' }] },
  ])
})

it('a report takes the newest texts that fit, whatever the other person wrote', async () => {
  const long = 'x'.repeat(limits.messageMaxLength)
  const texts = [long, long, long, long, `\u0000a\ud800${long}`, 'the last']
  const ids = texts.map(() => crypto.randomUUID())
  server.answers['GET /api/conversations/c/messages?limit=50'] = () => ({
    status: 200,
    body: texts.map((content, at) => messageAt(at + 1, { id: String(ids[at]), isRead: true, content })),
  })
  open()
  await screen.findByText('the last')
  await press('Conversation options')
  await press('Report')
  await userEvent.click(
    await screen.findByRole('checkbox', { name: 'Let our team read the last 5 messages from ben' }),
  )
  await press('Send report')
  await waitFor(() => expect(sent).toHaveLength(1))
  const body = reportConversation.body.parse(sent[0]?.body)
  expect(body.messageIds).toEqual(ids)
  expect(body.contents.map(({ id }) => id)).toEqual(ids.slice(1))
  expect(body.contents.at(-2)?.text).toMatch(/^a\ufffdx+$/)
})

it('a request is accepted before anything can be written, and it shows no preview in the list', async () => {
  row = conversationWith({ isRequest: true, lastMessage: null })
  const { unmount } = open('/messaging')
  expect(await screen.findByRole('heading', { name: 'Requests' })).toBeTruthy()
  expect(screen.getByText('Wants to talk to you')).toBeTruthy()
  unmount()
  server.answers[change] = (body) => {
    sent.push({ call: change, body })
    row = conversationWith()
    return { status: 200, body: row }
  }
  open()
  expect(await screen.findByText(/does not learn that you looked until you accept/)).toBeTruthy()
  expect(screen.queryByLabelText('Message')).toBeNull()
  await press('Accept')
  expect(await screen.findByLabelText('Message')).toBeTruthy()
  expect(sent).toEqual([{ call: change, body: { isAccepted: true } }])
})
