import { act, cleanup, fireEvent, render, screen, waitFor, within } from '../../../test/render.tsx'
import type { OutboxItem } from '@sumlock/sync/ports'
import userEvent from '@testing-library/user-event'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { ChatAndList } from '../../../test/chat-and-list.tsx'
import { conversationWith } from '../../../test/conversation-with.ts'
import { fakeApi, refusal, unlockedUser } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { fakeMessaging, messageAt } from '../../../test/fake-messaging.tsx'
import { media, store, testPage } from '../../../test/page.ts'
import { followEvents } from '../conversations/follow-events.ts'

const acts = 'POST /api/conversations/c/acts'
let server: ReturnType<typeof fakeApi>
let messaging: Awaited<ReturnType<typeof fakeMessaging>>
let sent: Record<string, unknown>[]
let now: Message
let stop: () => void
let changesAsked: number
const nothing = () => undefined

const own = (change: Partial<Message> = {}) =>
  messageAt(5, { senderId: 'me', createdAt: new Date().toISOString(), ...change })

async function open(message: Message, answer: (body: Record<string, unknown>) => Answer) {
  now = message
  sent = []
  const { content, messageType, senderId, seq, isRead, clientMessageId, mediaUrl } = message
  const lastMessage = { content, messageType, senderId, seq, isRead, clientMessageId, mediaUrl }
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: unlockedUser }),
    'GET /api/conversations': () => ({ status: 200, body: [conversationWith({ lastMessage })] }),
    'GET /api/conversations/c/messages': () => ({ status: 200, body: [now] }),
    [acts]: (body) => {
      sent.push(body as Record<string, unknown>)
      return answer(body as Record<string, unknown>)
    },
  })
  messaging = await fakeMessaging()
  changesAsked = 0
  const refresher = {
    changes: () => void (changesAsked += 1),
    list: nothing,
    limits: nothing,
    close: nothing,
  }
  stop = followEvents(testPage, messaging.session, store.dispatch, refresher)
  render(
    <messaging.Wrapper>
      <ChatAndList address="/conversation/c" />
    </messaging.Wrapper>,
  )
  await screen.findByRole('article')
}
afterEach(() => {
  cleanup()
  stop()
  act(() => server.restore())
  messaging.close()
})

const bubble = () => screen.getByRole('article')
const choose = async (name: string) => {
  fireEvent.contextMenu(bubble())
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}
const never = () => new Promise<never>(() => undefined)
const changed = (change: Partial<Message>) => ({
  status: 201,
  body: (now = { ...now, version: 1, ...change }),
})

describe('"Delete for both"', () => {
  const confirm = async () => {
    await choose('Delete for both')
    const dialog = await screen.findByRole('dialog', { name: 'Delete for both?' })
    expect(within(dialog).getByText(/in backups for up to 60 days/)).toBeTruthy()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete for both' }))
  }

  it('empties the message at once, in the list too, and sends the act without an "unsent" message', async () => {
    await open(own(), never)
    await confirm()
    expect(await screen.findByText('Deleted message')).toBeTruthy()
    expect(screen.queryByText('no. 5')).toBeNull()
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toEqual({
      act: 'unsend',
      target: { by: 'me', id: 'client-5' },
      clientMessageId: expect.any(String) as string,
    })
    await userEvent.click(screen.getByRole('button', { name: 'Back to Messages' }))
    const row = await screen.findByRole('link', { name: /ben/ })
    expect(row.textContent).toContain('Deleted message')
    expect(row.textContent).not.toMatch(/no\. 5|Not sent/)
  })

  it('stays so once the server has answered, and forgets the own picture', async () => {
    const mediaUrl = '/api/objects/x'
    media.own.set(mediaUrl, { file: new Blob() })
    await open(own({ messageType: 'image', mediaUrl }), () =>
      changed({ content: '', messageType: 'text', mediaUrl: null, isUnsent: true }),
    )
    await confirm()
    await waitFor(() => expect(messaging.outbox.acts).toEqual([]))
    expect(screen.getByText('Deleted message')).toBeTruthy()
    expect(media.own.has(mediaUrl)).toBe(false)
    expect(sent[0]).toMatchObject({ act: 'unsend', mediaUrl })
  })

  it('done elsewhere closes the open menu, and leaves a message without one', async () => {
    await open(own({ senderId: 'other' }), never)
    fireEvent.contextMenu(bubble())
    await screen.findByRole('menuitem', { name: 'Copy' })
    now = { ...now, version: 1, content: '', isUnsent: true }
    act(() =>
      messaging.connection.emit({ type: 'message_changed', data: { conversationId: 'c', version: 1 } }),
    )
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    expect(await screen.findByText('Deleted message')).toBeTruthy()
    fireEvent.contextMenu(bubble())
    expect(screen.queryByRole('menu')).toBeNull()
  })

  it('shows the message again with one sentence when the server refuses', async () => {
    await open(own(), () => refusal(409, 'act_too_late', 'Too late.'))
    await confirm()
    expect(await screen.findByText('Not deleted')).toBeTruthy()
    expect(screen.getByText('no. 5')).toBeTruthy()
    expect(screen.queryByText(/Not sent/)).toBeNull()
  })

  it.each<[string, Partial<Message>]>([
    ['of the partner', { senderId: 'other' }],
    ['that is older than a day', { createdAt: new Date(Date.now() - 24 * 3_600_001).toISOString() }],
  ])('is not offered for a message %s', async (_which, change) => {
    await open(own(change), never)
    fireEvent.contextMenu(bubble())
    expect(await screen.findByRole('menuitem', { name: 'Copy' })).toBeTruthy()
    expect(screen.queryByRole('menuitem', { name: 'Delete for both' })).toBeNull()
    expect(screen.queryByRole('menuitem', { name: 'Edit' })).toBeNull()
  })
})

it('a picture without a caption offers no copy', async () => {
  await open(own({ messageType: 'image', mediaUrl: '/api/objects/x', content: '' }), never)
  fireEvent.contextMenu(bubble())
  expect(await screen.findByRole('menuitem', { name: 'Delete for both' })).toBeTruthy()
  expect(screen.queryByRole('menuitem', { name: 'Copy' })).toBeNull()
})

it('a message whose send has no answer is taken back by its id, and edited behind it before', async () => {
  await open(messageAt(5), () => refusal(503, 'unavailable'))
  server.answers['POST /api/messages'] = () => never()
  await userEvent.type(await screen.findByLabelText('Message'), 'hasty')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  const hasty = await screen.findByText('hasty')
  fireEvent.contextMenu(hasty)
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  await userEvent.type(await screen.findByLabelText('Edited message'), '!')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  fireEvent.contextMenu(await screen.findByText('hasty!'))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete for both' }))
  const [{ message } = { message: undefined }] = messaging.outbox.items
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete for both' }))
  expect(screen.queryByText(/hasty/)).toBeNull()
  expect(messaging.outbox.items).toEqual([])
  await waitFor(() =>
    expect(sent).toMatchObject([{ act: 'unsend', target: { id: message?.clientMessageId } }]),
  )
})

it('a message that waits to be sent comes back unsent, with what to do, when its deletion is refused', async () => {
  await open(messageAt(5), () => refusal(409, 'act_too_late', 'Too late.'))
  server.answers['POST /api/messages'] = () => never()
  await userEvent.type(await screen.findByLabelText('Message'), 'hasty')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  fireEvent.contextMenu(await screen.findByText('hasty'))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete for both' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete for both' }))
  expect(await screen.findByText(/Not sent. If it should not be sent, discard it./)).toBeTruthy()
  expect(await screen.findByText('Not deleted')).toBeTruthy()
  expect(screen.queryByText('Failed to send message')).toBeNull()
  const [{ message }] = messaging.outbox.items as [OutboxItem]
  messaging.drafts.set('edit c', `${message.clientMessageId} not so hasty`)
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
  expect(screen.queryByText('hasty')).toBeNull()
  expect(messaging.drafts.get('edit c')).toBe('')
})

it('a picture that was deleted on another device is forgotten, and the list is told', async () => {
  const mediaUrl = '/api/objects/x'
  media.own.set(mediaUrl, { file: new Blob() })
  await open(own({ messageType: 'image', mediaUrl }), never)
  changed({ content: '', messageType: 'text', mediaUrl: null, isUnsent: true })
  const asked = changesAsked
  messaging.connection.emit({ type: 'message_changed', data: { conversationId: 'c', version: 1 } })
  expect(await screen.findByText('Deleted message')).toBeTruthy()
  expect(media.own.has(mediaUrl)).toBe(false)
  expect(changesAsked).toBe(asked + 1)
})

describe('"Edit"', () => {
  const edit = async (text: string) => {
    await choose('Edit')
    const box = await screen.findByLabelText('Edited message')
    await userEvent.clear(box)
    await userEvent.type(box, text)
  }
  const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))
  const composer = () => screen.findByLabelText('Message')
  const valueOf = async () => ((await composer()) as HTMLTextAreaElement).value

  it('takes the place of the composer, changes the text at once and marks it, and leaves the draft', async () => {
    await open(own(), never)
    await userEvent.type(await composer(), 'a draft')
    await edit('corrected')
    expect(screen.queryByLabelText('Message')).toBeNull()
    await save()
    expect(await screen.findByText('corrected')).toBeTruthy()
    expect(within(bubble()).getByText('edited')).toBeTruthy()
    expect(await valueOf()).toBe('a draft')
    await waitFor(() => expect(sent).toMatchObject([{ act: 'edit', replaces: null, content: 'corrected' }]))
  })

  it('goes on when the partner deletes a message with the same id', async () => {
    await open(own(), never)
    await edit('corrected')
    const { clientMessageId } = now
    const taken = { senderId: 'other', clientMessageId, content: '', isUnsent: true as const, version: 1 }
    messaging.connection.emit({ type: 'new_message', data: messageAt(6, taken) })
    expect(await screen.findByText('Deleted message')).toBeTruthy()
    expect(screen.getByLabelText<HTMLTextAreaElement>('Edited message').value).toBe('corrected')
  })

  it('of a second message begins with its own text', async () => {
    await open(own(), never)
    await edit('corrected')
    const createdAt = new Date().toISOString()
    messaging.connection.emit({ type: 'new_message', data: messageAt(6, { senderId: 'me', createdAt }) })
    fireEvent.contextMenu(await screen.findByText('no. 6'))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const box = await screen.findByLabelText('Edited message')
    expect((box as HTMLTextAreaElement).value).toBe('no. 6')
    await userEvent.type(box, '!')
    await save()
    await waitFor(() => expect(sent).toMatchObject([{ target: { id: 'client-6' }, content: 'no. 6!' }]))
  })

  it('is left by Escape without a change', async () => {
    await open(own(), never)
    await edit('corrected')
    await userEvent.keyboard('{Escape}')
    await composer()
    expect(screen.getByText('no. 5')).toBeTruthy()
    expect(sent).toEqual([])
  })

  it.each(['act_too_late', 'act_replaced'])(
    'that is refused as %s says so, and gives its text back to the composer and its draft',
    async (code) => {
      await open(own(), () => refusal(409, code, 'Why not.'))
      await userEvent.type(await composer(), 'a draft')
      await edit('corrected')
      await save()
      expect(await screen.findByText('Not edited')).toBeTruthy()
      expect(screen.getByText('Why not.')).toBeTruthy()
      await waitFor(async () => expect(await valueOf()).toBe('a draft\ncorrected'))
      expect(screen.getByText('no. 5')).toBeTruthy()
    },
  )

  it('that was begun is offered again after the chat was left, and not after it was ended or saved', async () => {
    await open(own(), never)
    const { drafts } = messaging
    await edit('half a corr')
    await userEvent.click(screen.getByRole('button', { name: 'Back to Messages' }))
    await userEvent.click(await screen.findByRole('link', { name: /ben/ }))
    await screen.findByRole('article')
    expect(await valueOf()).toBe('')
    await choose('Edit')
    const box = await screen.findByLabelText<HTMLTextAreaElement>('Edited message')
    expect(box.value).toBe('half a corr')
    await userEvent.keyboard('{Escape}')
    await choose('Edit')
    expect((await screen.findByLabelText<HTMLTextAreaElement>('Edited message')).value).toBe('no. 5')
    await userEvent.type(screen.getByLabelText('Edited message'), '!')
    expect(drafts.get('edit c')).toBe('client-5 no. 5!')
    await save()
    expect(drafts.get('edit c')).toBe('')
  })

  it('that was begun is forgotten with its message', async () => {
    await open(own(), never)
    await edit('half a corr')
    await userEvent.click(screen.getByRole('button', { name: 'Back to Messages' }))
    expect(messaging.drafts.get('edit c')).not.toBe('')
    changed({ content: '', isUnsent: true })
    messaging.connection.emit({ type: 'message_changed', data: { conversationId: 'c', version: 1 } })
    await waitFor(() => expect(messaging.drafts.get('edit c')).toBe(''))
  })

  it('names the edit that it replaces, and ends when the message is deleted elsewhere', async () => {
    await open(own({ version: 1, edit: { id: 'former', at: new Date().toISOString() } }), never)
    await edit('corrected')
    await save()
    await waitFor(() => expect(sent).toMatchObject([{ replaces: 'former' }]))
    await edit('again')
    now = { ...now, version: 2, content: '', isUnsent: true }
    messaging.connection.emit({ type: 'message_changed', data: { conversationId: 'c', version: 2 } })
    expect(await screen.findByText('This message was deleted.')).toBeTruthy()
    expect(await valueOf()).toBe('')
    expect(screen.getByText('Deleted message')).toBeTruthy()
  })
})
