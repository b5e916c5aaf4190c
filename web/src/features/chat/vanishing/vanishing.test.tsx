import type { Conversation, Message } from '@sumlock/contracts/messaging-routes'
import userEvent from '@testing-library/user-event'
import { ChatAndList } from '../../../../test/chat-and-list.tsx'
import { conversationWith } from '../../../../test/conversation-with.ts'
import { fakeApi, refusal, unlockedUser } from '../../../../test/fake-api.ts'
import { fakeMessaging, messageAt } from '../../../../test/fake-messaging.tsx'
import { media, store } from '../../../../test/page.ts'
import { act, cleanup, fireEvent, render, screen, waitFor } from '../../../../test/render.tsx'
import { api } from '../../../api/base-api.ts'
import { messagesOf } from '../../conversations/messaging-api.ts'
import { keptEdit } from '../../delivery/edit-draft.ts'

const vanishMs = 30_000
const secret = 'the secret of no. 5'
let server: ReturnType<typeof fakeApi>
let messaging: Awaited<ReturnType<typeof fakeMessaging>>
let sent: Record<string, unknown>[]
let row: Conversation
const deviceNow = Date.now.bind(Date)

const own = (change: Partial<Message> = {}) =>
  messageAt(5, {
    ...{ senderId: 'me', content: secret, vanishMs, createdAt: new Date().toISOString() },
    ...change,
  })
const theirs = (change: Partial<Message> = {}) =>
  own({
    ...{ senderId: 'other', isRead: true, vanishAt: new Date(Date.now() + vanishMs).toISOString() },
    ...change,
  })

async function open(message: Message, address = '/conversation/c') {
  sent = []
  row = {
    ...row,
    lastMessage: message,
    lastMessageAt: message.createdAt,
  }
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: unlockedUser }),
    'GET /api/conversations': () => ({ status: 200, body: [row] }),
    'GET /api/conversations/c/messages': () => ({ status: 200, body: [message] }),
    'POST /api/messages': (body) => {
      sent.push(body as Record<string, unknown>)
      return refusal(503, 'unavailable')
    },
    'POST /api/conversations/c/acts': () => refusal(503, 'unavailable'),
  })
  messaging = await fakeMessaging()
  render(
    <messaging.Wrapper>
      <ChatAndList address={address} />
    </messaging.Wrapper>,
  )
  await screen.findByText(address === '/messaging' ? /the secret/ : secret)
}
/** Lets time pass on the device, and the page look at it. */
const pass = (ms: number) =>
  act(() => {
    Date.now = () => deviceNow() + ms
    messaging.session.vanishing.look()
  })

beforeEach(() => {
  row = conversationWith()
})
afterEach(() => {
  Date.now = deviceNow
  cleanup()
  act(() => server.restore())
  messaging.close()
  media.own.clear()
  act(() => void store.dispatch(api.util.resetApiState()))
})

it.each([
  ['sent', 'sending', own],
  ['received', 'reading', theirs],
])('a message that was %s says when it vanishes, and leaves a quiet line', async (_how, since, message) => {
  await open(message())
  expect(await screen.findByText(`vanishes 30 seconds after ${since}: less than a minute left`)).toBeTruthy()
  expect(screen.getByText(/^(30|2\d|1\d)s$/)).toBeTruthy()
  pass(vanishMs - 15_000)
  expect(await screen.findByText(/^(1[0-5]|\d)s$/)).toBeTruthy()
  expect(screen.getByText(secret)).toBeTruthy()
  pass(vanishMs + 1000)
  expect(await screen.findByText('Message vanished')).toBeTruthy()
  expect(screen.queryByRole('article')).toBeNull()
  expect(document.body.textContent).not.toContain(secret)
  expect(JSON.stringify(messagesOf(store.getState(), 'c'))).not.toContain(secret)
})

it('an unread message says that its time has not begun', async () => {
  await open(theirs({ isRead: false, vanishAt: undefined, vanishMs: 3_600_000 }))
  expect(await screen.findByText('vanishes 1 hour after reading')).toBeTruthy()
  expect(screen.queryByText('1h')).toBeNull()
})

it('the row of the list says that its last message has vanished', async () => {
  await open(own(), '/messaging')
  pass(vanishMs + 1000)
  expect(await screen.findByText('Message vanished')).toBeTruthy()
  expect(JSON.stringify(store.getState())).not.toContain(secret)
})

it('a begun edit ends, and its text is kept nowhere', async () => {
  await open(own())
  fireEvent.contextMenu(screen.getByRole('article'))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  await userEvent.type(await screen.findByLabelText('Edited message'), '!')
  const edited = { conversationId: 'c', name: { by: 'me', id: 'client-5' } }
  expect(keptEdit(messaging.session.drafts, edited)).toBe(`${secret}!`)
  pass(vanishMs + 1000)
  expect(await screen.findByText('This message has vanished.')).toBeTruthy()
  expect(screen.queryByLabelText('Edited message')).toBeNull()
  expect(keptEdit(messaging.session.drafts, edited)).toBeUndefined()
})

it('an edit that waits for the network goes with its message', async () => {
  await open(own())
  fireEvent.contextMenu(screen.getByRole('article'))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  await userEvent.type(await screen.findByLabelText('Edited message'), '!{Enter}')
  const { outbox } = messaging.session
  expect(outbox.acts).toMatchObject([{ message: { content: `${secret}!` } }])
  pass(vanishMs + 1000)
  await waitFor(() => expect(outbox.acts).toEqual([]))
})

it.each<[string, () => Promise<unknown>]>([
  ['the menu', () => screen.findByRole('menuitem', { name: 'Copy' })],
  [
    'the question whether to delete it',
    async () => {
      await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete for both' }))
      await screen.findByRole('dialog', { name: 'Delete for both?' })
    },
  ],
  [
    'the choice of an emoji',
    async () => {
      await userEvent.click(await screen.findByRole('menuitem', { name: /other emoji/i }))
      await screen.findByRole('dialog', { name: 'React' })
    },
  ],
])('%s of a message closes when it vanishes', async (_what, lead) => {
  await open(own())
  fireEvent.contextMenu(screen.getByRole('article'))
  await lead()
  pass(vanishMs + 1000)
  await screen.findByText('Message vanished')
  expect(screen.queryByRole('menu')).toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('the open viewer closes, and the own picture is forgotten', async () => {
  const mediaUrl = '/api/objects/x'
  media.own.set(mediaUrl, { file: new Blob() })
  await open(own({ messageType: 'image', mediaUrl }))
  act(() => media.viewed.set('m5'))
  await screen.findByRole('dialog', { name: secret })
  pass(vanishMs + 1000)
  await waitFor(() => expect(media.viewed.get()).toBeNull())
  expect(media.own.has(mediaUrl)).toBe(false)
})

it('the open viewer stays when another picture than the shown one vanishes', async () => {
  const mediaUrl = '/api/objects/x'
  for (const url of [mediaUrl, '/api/objects/y']) media.own.set(url, { file: new Blob() })
  const picture = own({ messageType: 'image', mediaUrl })
  await open(picture)
  const other = messageAt(6, { senderId: 'me', messageType: 'image', mediaUrl: '/api/objects/y' })
  act(() => messaging.connection.emit({ type: 'new_message', data: other }))
  act(() => media.viewed.set('m6'))
  expect(await screen.findByText('Photo 2 of 2')).toBeTruthy()
  pass(vanishMs + 1000)
  await screen.findByText('Message vanished')
  expect(screen.getByRole('dialog', { name: 'no. 6' })).toBeTruthy()
  expect(screen.queryByText(/^Photo 2/)).toBeNull()
  expect(media.own.has(mediaUrl)).toBe(false)
})

it('a message that held the focus gives it to the list', async () => {
  await open(own())
  screen.getByRole('article').focus()
  pass(vanishMs + 1000)
  await screen.findByText('Message vanished')
  expect(document.activeElement).toBe(screen.getByRole('log'))
})

it('a message that the server empties before its time does not read as vanished', async () => {
  await open(own({ vanishMs: 3_600_000 }))
  const { vanishMs: _time, ...rest } = own()
  act(() =>
    messaging.connection.emit({
      type: 'new_message',
      data: { ...rest, content: '', isVanished: true, version: 1 },
    }),
  )
  expect(await screen.findByText('Message removed before its time')).toBeTruthy()
  expect(screen.queryByText('Message vanished')).toBeNull()
})

it('an open report does not attach what has vanished', async () => {
  await open(theirs())
  await userEvent.click(screen.getByRole('button', { name: 'Conversation options' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Report' }))
  expect(await screen.findByLabelText(/read the last message/)).toBeTruthy()
  pass(vanishMs + 1000)
  await waitFor(() => expect(screen.queryByLabelText(/read the last message/)).toBeNull())
})

describe('with a timer', () => {
  const timer = { id: 't1', by: 'other', vanishMs, at: '2026-11-22T00:00:00.000Z', afterSeq: 5 } as const
  const write = async (text: string) => {
    await userEvent.type(await screen.findByLabelText('Message'), text)
    await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  }

  it('the chat says so in its header and where it was set', async () => {
    row = conversationWith({ timer })
    await open(own({ vanishMs: undefined }))
    expect(await screen.findByText(/New messages vanish after/)).toBeTruthy()
    const line = await screen.findByText(/set messages to vanish after 30 seconds/)
    expect(line.textContent).toBe('ben set messages to vanish after 30 seconds Change')
  })

  it('a message is sent with it, also when it was changed before the message could leave', async () => {
    row = conversationWith({ timer })
    await open(own())
    await write('soon gone')
    expect(await screen.findByText('vanishes 30 seconds after sending')).toBeTruthy()
    await waitFor(() => expect(sent).toMatchObject([{ content: 'soon gone', vanishMs }]))
    row = { ...row, timer: { ...timer, id: 't2', vanishMs: null, by: 'me' } }
    act(() => messaging.session.list.mayHaveChanged())
    const [item] = messaging.session.outbox.items
    expect(item?.message).toMatchObject({ content: 'soon gone', vanishMs })
    act(() => messaging.session.outbox.kick())
    await waitFor(() => expect(sent).toHaveLength(2))
    expect(sent[1]).toEqual(sent[0])
  })

  it('that was turned off, a message is sent without one', async () => {
    row = conversationWith({ timer: { ...timer, by: 'me', vanishMs: null } })
    await open(own())
    expect((await screen.findByText(/turned vanishing off/)).textContent).toBe(
      'You turned vanishing off Change',
    )
    expect(screen.queryByText(/New messages vanish after/)).toBeNull()
    await write('stays')
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).not.toHaveProperty('vanishMs')
  })
})
