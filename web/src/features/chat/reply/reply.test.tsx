import { act, fireEvent, render, screen, waitFor, within } from '../../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { ChatAndList } from '../../../../test/chat-and-list.tsx'
import { conversationWith } from '../../../../test/conversation-with.ts'
import { fakeApi } from '../../../../test/fake-api.ts'
import { fakeMessaging } from '../../../../test/fake-messaging.tsx'
import {
  browserOf,
  fakeKeyServer,
  newOwnKey,
  outgoing,
  publicKeyOf,
  storedOf,
} from '../../../../test/sealed-people.ts'
import { store, testPage } from '../../../../test/page.ts'
import { api } from '../../../api/base-api.ts'
import { lookOf } from '../../sealed/look.ts'

type Body = Record<string, unknown> & { content: string; clientMessageId: string }
let server: ReturnType<typeof fakeApi>
let messaging: Awaited<ReturnType<typeof fakeMessaging>>
let ben: ReturnType<typeof browserOf>
/** These bodies were posted by `me`. */
let posted: Body[]
let acts: Body[]
/** The server has these messages, oldest first. */
let stored: Message[]
/** Ben's key; without one, the conversation is plain. */
let isSealed = true
/** The server answers a send after this. */
let held: Promise<unknown>
const pageSize = 50

const fromBen = async (seq: number, text: string, change: Partial<Message> = {}, re?: object) =>
  storedOf(seq, 'ben', await ben.text.prepare({ ...outgoing(text, `b${seq}`), ...re }), change)

async function meet() {
  const [myKey, benKey] = [await newOwnKey('me'), await newOwnKey('ben')]
  const keys = fakeKeyServer()
  const me = browserOf('me', [myKey], keys, { page: testPage })
  ben = browserOf('ben', [benKey], keys)
  await ben.meet({ id: 'me', keys: [publicKeyOf(myKey)] })
  return { me, benKeys: [publicKeyOf(benKey)] }
}

async function open({ me, benKeys }: Awaited<ReturnType<typeof meet>>) {
  posted = []
  acts = []
  const otherUser = {
    ...{ id: 'ben', username: 'ben', userCode: 'ABCD-EFGH-J' },
    keys: isSealed ? benKeys : [],
  }
  server = fakeApi({
    'GET /api/conversations': () => ({
      status: 200,
      body: [conversationWith({ otherUser, lastMessage: null, lastSeq: stored.length })],
    }),
    'POST /api/messages': async (body) => {
      await held
      const sent = body as Body & Pick<Message, 'sealed'>
      posted.push(sent)
      const message = outgoing(sent.content, sent.clientMessageId)
      return {
        status: 201,
        body: storedOf(
          stored.length + posted.length,
          'me',
          message,
          sent.sealed ? { sealed: sent.sealed } : {},
        ),
      }
    },
    'POST /api/conversations/c/acts': (body) => {
      acts.push(body as Body)
      return new Promise<never>(() => undefined)
    },
  })
  const page = (before: number) => () => ({
    status: 200,
    body: stored.filter(({ seq }) => seq < before).slice(-pageSize),
  })
  server.answers['GET /api/conversations/c/messages?limit=50'] = page(Infinity)
  for (const { seq } of stored)
    server.answers[`GET /api/conversations/c/messages?before=${seq}&limit=50`] = page(seq)
  messaging = await fakeMessaging(undefined, me.text)
  render(
    <messaging.Wrapper>
      <ChatAndList address="/conversation/c" />
    </messaging.Wrapper>,
  )
  await screen.findByRole('log')
}
beforeEach(() => {
  isSealed = true
  held = Promise.resolve()
  stored = []
})
afterEach(() => {
  act(() => server.restore())
  messaging.close()
  act(() => void store.dispatch(api.util.resetApiState()))
})

const article = async (text: string) => (await screen.findByText(text)).closest('article') as HTMLElement
const choose = async (text: string, name: string) => {
  fireEvent.contextMenu(await article(text))
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}
const bar = () => screen.queryByRole('group', { name: 'Reply' })
const write = async (text: string) =>
  userEvent.type(await screen.findByLabelText('Message'), `${text}{Enter}`)
/** What Ben's browser finds in a sealed body of mine. */
async function seenByBen({ content, clientMessageId, sealed }: Body) {
  const message = { ...storedOf(9, 'me', outgoing(content, clientMessageId)), sealed } as Message
  const [opened] = await ben.text.open('c', [message])
  const look = lookOf(opened as Message)
  return look.state === 'open' ? look.body : look
}
const name = { by: 'ben', id: 'b1', seq: 1 }

it('an answer names its message inside the sealed body only, and shows it before and after it is stored', async () => {
  const people = await meet()
  stored = [await fromBen(1, 'Tea or coffee?')]
  await open(people)
  await choose('Tea or coffee?', 'Reply')
  expect(within(await screen.findByRole('group', { name: 'Reply' })).getByText('Tea or coffee?')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Message'))
  await write('Tea')
  await waitFor(() => expect(posted).toHaveLength(1))
  expect(Object.keys(posted[0] as Body)).not.toContain('re')
  expect(await seenByBen(posted[0] as Body)).toMatchObject({ t: 'Tea', re: name })
  expect(
    within(await article('Tea')).getByRole('button', { name: /Answer to.*ben.*Tea or coffee\?/ }),
  ).toBeTruthy()
  expect(bar()).toBeNull()
  const copied: string[] = []
  const writeText = (text: string) => Promise.resolve(void copied.push(text))
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
  await choose('Tea', 'Copy')
  expect(copied).toEqual(['Tea'])
  await write('And cake')
  await waitFor(() => expect(posted).toHaveLength(2))
  expect(await seenByBen(posted[1] as Body)).not.toHaveProperty('re')
})

it('a menu that was opened before the message was stored gets "Reply", and keeps its other items', async () => {
  const people = await meet()
  await open(people)
  let store: () => void = () => undefined
  held = new Promise<void>((resolve) => (store = resolve))
  await write('On its way')
  fireEvent.contextMenu(await article('On its way'))
  expect(await screen.findByRole('menuitem', { name: 'Edit' })).toBeTruthy()
  expect(screen.queryByRole('menuitem', { name: 'Reply' })).toBeNull()
  store()
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Reply' }))
  expect(within(await screen.findByRole('group', { name: 'Reply' })).getByText('On its way')).toBeTruthy()
})

it.each([
  ['as it is', 'r'],
  ['with Caps Lock', 'R'],
])('the key R (%s) on a message begins an answer, and Escape ends it', async (_how, key) => {
  const people = await meet()
  stored = [await fromBen(1, 'Tea or coffee?')]
  await open(people)
  const message = await article('Tea or coffee?')
  message.focus()
  await userEvent.keyboard('{Control>}r{/Control}')
  expect(bar()).toBeNull()
  await userEvent.keyboard(key)
  expect(await screen.findByRole('group', { name: 'Reply' })).toBeTruthy()
  expect(screen.getByLabelText<HTMLTextAreaElement>('Message').value).toBe('')
  await userEvent.keyboard('{Escape}')
  expect(bar()).toBeNull()
})

it('a quotation of a deleted message says that it was deleted, and nothing of its text', async () => {
  const people = await meet()
  const re = { re: name }
  stored = [await fromBen(1, 'Tea?'), await fromBen(2, 'an answer', {}, re)]
  stored[0] = { ...(stored[0] as Message), content: '', isUnsent: true, version: 1 }
  delete (stored[0] as Partial<Message>).sealed
  await open(people)
  const quotation = within(await article('an answer')).getByRole('button')
  expect(quotation.textContent).toContain('Deleted message')
  expect(quotation.textContent).not.toContain('Tea?')
})

it('a quotation says so when the server shows the answered message unsealed', async () => {
  const people = await meet()
  stored = [
    storedOf(1, 'ben', outgoing('Do you want to sell?', 'b1')),
    await fromBen(2, 'Sealed', { isRead: true }),
    await fromBen(3, 'an answer', {}, { re: name }),
    await fromBen(4, 'another answer', {}, { re: { by: 'ben', id: 'b2', seq: 2 } }),
  ]
  await open(people)
  const quotationIn = async (text: string) => within(await article(text)).getByRole('button').textContent
  expect(await quotationIn('an answer')).toContain('Not encrypted: Do you want to sell?')
  expect(await quotationIn('another answer')).not.toContain('Not encrypted')
})

it('another sender or id at the named place is not shown, because the name decides', async () => {
  const people = await meet()
  stored = [
    await fromBen(1, 'Not this one'),
    await fromBen(2, 'an answer', {}, { re: { by: 'ben', id: 'elsewhere', seq: 1 } }),
  ]
  await open(people)
  const quotation = within(await article('an answer')).getByRole('button')
  expect(quotation.textContent).not.toContain('Not this one')
  await userEvent.click(quotation)
  expect(await screen.findByText('Message not found')).toBeTruthy()
})

it('a quotation leads to its message, for which earlier pages are loaded', async () => {
  const people = await meet()
  const answerSeq = 71
  const texts = Array.from({ length: 120 }, (_, index) => {
    const seq = index + 1
    const isRead = { isRead: true }
    return seq === answerSeq
      ? fromBen(seq, 'an answer', isRead, { re: name })
      : fromBen(seq, `no. ${seq}`, isRead)
  })
  stored = await Promise.all(texts)
  await open(people)
  const quotation = within(await article('an answer')).getByRole('button', { name: /Earlier message/ })
  // A toast of an earlier test may still be there.
  const refusals = () => screen.queryAllByText(/^Message not/).length
  const before = refusals()
  await userEvent.click(quotation)
  await waitFor(() =>
    expect(server.asked.filter((asked) => asked.includes('before='))).toEqual([
      'GET /api/conversations/c/messages?before=71&limit=50',
      'GET /api/conversations/c/messages?before=21&limit=50',
    ]),
  )
  await waitFor(() => expect(screen.queryByText(/Looking for the message/)).toBeNull())
  expect(refusals()).toBe(before)
})

it('an edited answer still names its message', async () => {
  const people = await meet()
  stored = [await fromBen(1, 'Tea?')]
  await open(people)
  await choose('Tea?', 'Reply')
  await write('Yse')
  await waitFor(() => expect(posted).toHaveLength(1))
  await choose('Yse', 'Edit')
  const box = await screen.findByLabelText('Edited message')
  await userEvent.clear(box)
  await userEvent.type(box, 'Yes{Enter}')
  expect(within(await article('Yes')).getByRole('button', { name: /Tea\?/ })).toBeTruthy()
  await waitFor(() => expect(acts).toHaveLength(1))
  const { clientMessageId: id, content, sealed } = acts[0] as Body
  const message = storedOf(2, 'me', outgoing(content, posted[0]?.clientMessageId ?? ''))
  const [opened] = await ben.text.open('c', [{ ...message, sealed, edit: { id, at: '' } } as Message])
  expect(lookOf(opened as Message)).toMatchObject({ state: 'open', body: { t: 'Yes', re: name } })
  expect(acts[0]).not.toHaveProperty('re')
})

it('there is no answer where nothing can be sealed', async () => {
  const people = await meet()
  isSealed = false
  stored = [storedOf(1, 'ben', outgoing('plain', 'b1'))]
  await open(people)
  fireEvent.contextMenu(await article('plain'))
  expect(await screen.findByRole('menuitem', { name: 'Copy' })).toBeTruthy()
  expect(screen.queryByRole('menuitem', { name: 'Reply' })).toBeNull()
})
