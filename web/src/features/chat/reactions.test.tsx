import { act, cleanup, fireEvent, render, screen, waitFor, within } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import type { Conversation, Message } from '@sumlock/contracts/messaging-routes'
import { ChatAndList } from '../../../test/chat-and-list.tsx'
import { conversationWith } from '../../../test/conversation-with.ts'
import { fakeApi, refusal, unlockedUser } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { fakeMessaging, messageAt } from '../../../test/fake-messaging.tsx'
import { store, testPage } from '../../../test/page.ts'
import { api } from '../../api/base-api.ts'
import { followEvents } from '../conversations/follow-events.ts'

interface Sent {
  act: string
  target: { by: string; id: string }
  clientMessageId: string
  replaces: string | null
  content?: string
}
let server: ReturnType<typeof fakeApi>
let messaging: Awaited<ReturnType<typeof fakeMessaging>>
let sent: Sent[]
let now: Message
/** The server has these messages before it. */
let earlier: readonly Message[] = []
let stop: () => void
const nothing = () => undefined
const never = () => new Promise<never>(() => undefined)

async function open(
  message: Message,
  answer: (body: Sent) => Answer = never,
  row: Partial<Conversation> = {},
) {
  now = message
  sent = []
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: unlockedUser }),
    'GET /api/conversations': () => ({ status: 200, body: [conversationWith(row)] }),
    'GET /api/conversations/c/messages': () => ({ status: 200, body: [...earlier, now] }),
    'POST /api/conversations/c/acts': (body) => {
      sent.push(body as Sent)
      return answer(body as Sent)
    },
  })
  messaging = await fakeMessaging()
  const refresher = { changes: nothing, list: nothing, limits: nothing, close: nothing }
  stop = followEvents(testPage, messaging.session, store.dispatch, refresher)
  render(
    <messaging.Wrapper>
      <ChatAndList address="/conversation/c" />
    </messaging.Wrapper>,
  )
  await screen.findAllByRole('article')
}
afterEach(() => {
  cleanup()
  earlier = []
  stop()
  act(() => server.restore())
  messaging.close()
  act(() => void store.dispatch(api.util.resetApiState()))
})

const bubble = () => screen.getByRole('article')
const theirs = (change: Partial<Message> = {}) => messageAt(5, change)
const reactionBy = (by: string, content: string) => ({ by, id: `of ${by}`, content })
const openMenu = async () => {
  fireEvent.contextMenu(bubble())
  await screen.findByRole('menuitem', { name: 'Copy' })
}
const choose = async (name: string) => {
  await openMenu()
  await userEvent.click(screen.getByRole('menuitem', { name }))
}
const chips = () => screen.findByRole('list', { name: 'Reactions' })
const chip = (name: RegExp) => screen.findByRole('button', { name })
/** Stores the act as the server does. */
const applied = ({ clientMessageId: id, content = '' }: Sent): Answer => {
  const others = (now.reactions ?? []).filter(({ by }) => by !== 'me')
  const version = (now.version ?? 0) + 1
  now = { ...now, version, reactions: [...others, { by: 'me', id, content }] }
  return { status: 201, body: now }
}

it('one of six emoji is a tap in the menu of a message of either person, and is shown at once', async () => {
  await open(theirs())
  await openMenu()
  const six = within(screen.getByRole('group', { name: 'React' })).getAllByRole('menuitem')
  expect(six.map(({ textContent }) => textContent).join('')).toBe('👍❤️😂😮😢🙏')
  await userEvent.click(screen.getByRole('menuitem', { name: 'React with 😂' }))
  expect((await chips()).textContent).toContain('😂 from you, sending…')
  expect(document.activeElement).toBe(bubble())
  await waitFor(() =>
    expect(sent).toEqual([
      {
        ...{ act: 'reaction', target: { by: 'other', id: 'client-5' }, replaces: null, content: '😂' },
        clientMessageId: expect.any(String) as string,
      },
    ]),
  )
  expect(screen.queryByText('sending the change…')).toBeNull()
})

it('a second one replaces the first', async () => {
  await open(theirs({ senderId: 'me', version: 1, reactions: [reactionBy('me', '👍')] }), applied)
  await choose('React with 😮')
  expect((await chips()).textContent).toContain('😮 from you')
  expect((await chips()).textContent).not.toContain('👍')
  await waitFor(() => expect(sent).toMatchObject([{ replaces: 'of me', content: '😮' }]))
})

it.each([
  ['in the menu', () => choose('Remove your reaction 👍')],
  ['below the bubble', async () => userEvent.click(await chip(/👍 from you/))],
])('the same one tapped again %s removes it and says so', async (_where, remove) => {
  await open(theirs({ version: 1, reactions: [reactionBy('me', '👍')] }), applied)
  await chips()
  await remove()
  expect(await screen.findByText('Reaction removed')).toBeTruthy()
  expect(screen.queryByRole('list', { name: 'Reactions' })).toBeNull()
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({ act: 'reaction', replaces: 'of me' })
  expect(sent[0]).not.toHaveProperty('content')
  expect(document.activeElement).toBe(bubble())
  // One that was taken back has an id, which the next one replaces.
  await choose('React with 😢')
  await waitFor(() => expect(sent[1]).toMatchObject({ replaces: sent[0]?.clientMessageId, content: '😢' }))
})

it('the emoji of the partner can be tapped to choose it, too; one chip then counts both', async () => {
  await open(theirs({ version: 1, reactions: [reactionBy('other', '🙏')] }), applied)
  await userEvent.click(await chip(/🙏 from ben/))
  expect(await screen.findByRole('button', { name: /🙏.* from you and ben/ })).toBeTruthy()
  expect((await chips()).textContent).toContain('2')
  expect(within(await chips()).getAllByRole('listitem')).toHaveLength(1)
  await waitFor(() => expect(sent).toMatchObject([{ content: '🙏' }]))
})

it('any other emoji of the keyboard is taken, one at a time', async () => {
  await open(theirs())
  await choose('React with another emoji')
  const dialog = await screen.findByRole('dialog', { name: 'React' })
  const field = within(dialog).getByLabelText('Emoji')
  await userEvent.type(field, '🦄🦄')
  expect(within(dialog).getByText('Choose one emoji.')).toBeTruthy()
  await userEvent.type(field, '{Enter}')
  expect(sent).toEqual([])
  await userEvent.clear(field)
  await userEvent.type(field, '🦄{Enter}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect((await chips()).textContent).toContain('🦄 from you')
  await waitFor(() => expect(sent).toMatchObject([{ content: '🦄' }]))
})

it('the keyboard reaches the emoji in the menu by arrows and a chip by its name', async () => {
  await open(theirs())
  await openMenu()
  expect(document.activeElement?.textContent).toBe('👍')
  const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key })
  press('ArrowRight')
  expect(document.activeElement?.textContent).toBe('❤️')
  press('ArrowDown')
  expect(document.activeElement?.textContent).toBe('Copy')
  press('ArrowLeft')
  expect(document.activeElement?.textContent).toBe('Copy')
  press('ArrowUp')
  expect(document.activeElement?.textContent).toBe('👍')
  await userEvent.keyboard('{Enter}')
  const own = await chip(/👍 from you/)
  own.focus()
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByText('Reaction removed')).toBeTruthy()
})

it('goes to the chosen message, also if the server gives another one of either person the same id', async () => {
  earlier = [messageAt(3, { id: 'm5' }), messageAt(4, { id: 'm5', senderId: 'me' })]
  await open(theirs())
  for (const seq of [5, 4, 3]) {
    fireEvent.contextMenu(await screen.findByText(`no. ${seq}`))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'React with 👍' }))
  }
  const targets = messaging.outbox.acts.map(({ message }) => message.target)
  expect(targets).toEqual([
    ...[
      { by: 'other', id: 'client-5' },
      { by: 'me', id: 'client-4' },
      { by: 'other', id: 'client-3' },
    ],
  ])
})

it('a refused one goes, and one sentence says why', async () => {
  await open(theirs(), () => refusal(409, 'act_replaced', 'Why not.'))
  await choose('React with 👍')
  expect(await screen.findByText('Reaction not sent')).toBeTruthy()
  expect(screen.getByText('Why not.')).toBeTruthy()
  expect(screen.queryByRole('list', { name: 'Reactions' })).toBeNull()
  expect(screen.queryByText(/^Not sent/)).toBeNull()
})

it('a removal that is refused says so, and the reaction comes back', async () => {
  await open(theirs({ version: 1, reactions: [reactionBy('me', '👍')] }), () =>
    refusal(409, 'act_replaced', 'Why not.'),
  )
  await userEvent.click(await chip(/👍 from you/))
  expect(await screen.findByText('Reaction not removed')).toBeTruthy()
  expect((await chips()).textContent).toContain('👍 from you')
})

it('a message that waits to be sent can be reacted to, and keeps the reaction', async () => {
  await open(theirs())
  server.answers['POST /api/messages'] = () => never()
  await userEvent.type(await screen.findByLabelText('Message'), 'hasty')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  fireEvent.contextMenu(await screen.findByText('hasty'))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'React with 👍' }))
  expect((await chips()).textContent).toContain('👍 from you')
  fireEvent.contextMenu(await screen.findByText('hasty'))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  await userEvent.type(await screen.findByLabelText('Edited message'), '!')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  const edit = messaging.outbox.acts.find(({ message }) => message.act === 'edit')
  expect(edit?.message).toMatchObject({ replaces: null })
})

it('the deletion of its message takes it away', async () => {
  await open(theirs({ version: 1, reactions: [reactionBy('other', '👍')] }))
  await chips()
  now = { ...now, version: 2, content: '', isUnsent: true, reactions: undefined }
  messaging.connection.emit({ type: 'message_changed', data: { conversationId: 'c', version: 2 } })
  expect(await screen.findByText('Deleted message')).toBeTruthy()
  expect(screen.queryByRole('list', { name: 'Reactions' })).toBeNull()
  fireEvent.contextMenu(bubble())
  expect(screen.queryByRole('menu')).toBeNull()
})

it.each<[string, Partial<Conversation>]>([
  ['in a request that was not accepted', { isRequest: true }],
  ['to a person whom one has blocked', { isBlocked: true }],
  [
    'to a person who is deleting the account',
    { otherUser: { id: 'other', username: 'ben', userCode: 'ABCD-EFGH-J', isGone: true } },
  ],
])('nobody reacts %s, and reactions are only shown', async (_where, row) => {
  await open(theirs({ version: 1, reactions: [reactionBy('other', '👍')] }), never, row)
  expect((await chips()).textContent).toContain('👍 from ben')
  expect(within(await chips()).queryByRole('button')).toBeNull()
  await openMenu()
  expect(screen.queryByRole('menuitem', { name: /React with/ })).toBeNull()
})

it('a reaction of the partner appears by itself and makes nothing unread', async () => {
  await open(theirs({ isRead: true }))
  now = { ...now, version: 1, reactions: [reactionBy('other', '👍')] }
  messaging.connection.emit({ type: 'message_changed', data: { conversationId: 'c', version: 1 } })
  expect((await chips()).textContent).toContain('👍 from ben')
  expect(screen.getByRole('log').contains(await chips())).toBe(true)
  expect(screen.queryByText('Unread messages')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Back to Messages' }))
  const row = await screen.findByRole('link', { name: /ben/ })
  expect(row.textContent).toContain('no. 5')
  expect(row.textContent).not.toContain('👍')
})
