import { act, render, screen, waitFor } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { conversationWith } from '../../../test/conversation-with.ts'
import { fakeApi, refusal } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { fakeMessaging } from '../../../test/fake-messaging.tsx'
import {
  browserOf,
  fakeKeyServer,
  newOwnKey,
  outgoing,
  publicKeyOf,
  storedOf,
} from '../../../test/sealed-people.ts'
import { store, testPage } from '../../../test/page.ts'
import { api } from '../../api/base-api.ts'
import { Tooltips } from '../../shared/ui/TipButton.tsx'
import { ChatScreen } from './ChatScreen.tsx'

interface Sent {
  content: string
  clientMessageId: string
  sealed?: { from: number; to: number }
}

/** The person `me` and Ben, each with a key, and the stored messages of their conversation `c`. */
async function twoPeople() {
  const [myKey, benKey] = [await newOwnKey('me'), await newOwnKey('ben')]
  const keys = fakeKeyServer()
  const me = browserOf('me', [myKey], keys, { page: testPage })
  const ben = browserOf('ben', [benKey], keys)
  await ben.meet({ id: 'me', keys: [publicKeyOf(myKey)] })
  return { me, ben, myKey, benKey, keys }
}
type People = Awaited<ReturnType<typeof twoPeople>>

let server: ReturnType<typeof fakeApi>
let messaging: Awaited<ReturnType<typeof fakeMessaging>>
let posted: Sent[]
let answerToPost: (body: Sent) => Answer
afterEach(() => {
  act(() => server.restore())
  messaging.close()
  act(() => void store.dispatch(api.util.resetApiState()))
})

async function openChat(
  { me, benKey }: People,
  stored: readonly Message[] = [],
  keysOfBen = [publicKeyOf(benKey)],
) {
  const otherUser = { id: 'ben', username: 'ben', userCode: 'ABCD-EFGH-J', keys: keysOfBen }
  const row = conversationWith({ otherUser, lastMessage: null, lastSeq: stored.length })
  posted = []
  answerToPost = (body) => ({
    status: 201,
    body: storedOf(
      stored.length + posted.length,
      'me',
      outgoing(body.content, body.clientMessageId),
      body.sealed ? { sealed: { v: 1, ...body.sealed } } : {},
    ),
  })
  server = fakeApi({
    'GET /api/conversations': () => ({ status: 200, body: [row] }),
    'GET /api/conversations/c/messages?limit=50': () => ({ status: 200, body: stored }),
    'POST /api/messages': (body) => {
      posted.push(body as Sent)
      return answerToPost(body as Sent)
    },
  })
  messaging = await fakeMessaging(undefined, me.text)
  render(
    <messaging.Wrapper>
      <Tooltips>
        <MemoryRouter initialEntries={['/conversation/c']}>
          <Routes>
            <Route path="/conversation/:id" element={<ChatScreen />} />
          </Routes>
        </MemoryRouter>
      </Tooltips>
    </messaging.Wrapper>,
  )
  await screen.findByRole('log')
}
const write = async (text: string) =>
  userEvent.type(await screen.findByLabelText('Message'), `${text}{Enter}`)
const fromBen = async ({ ben }: People, seq: number, text: string, change: Partial<Message> = {}) =>
  storedOf(seq, 'ben', await ben.text.prepare(outgoing(text, `b${seq}`)), change)

it('sealed text is shown opened, in a text node of its own, and what is written leaves sealed', async () => {
  const people = await twoPeople()
  await openChat(people, [await fromBen(people, 1, 'for my eyes')])
  expect((await screen.findByText('for my eyes')).dir).toBe('auto')
  await write('for yours')
  expect(await screen.findByText('for yours')).toBeTruthy()
  await waitFor(() => expect(posted).toHaveLength(1))
  expect(posted[0]?.content).toMatch(/^[\w-]{120,}$/)
  expect(posted[0]?.sealed).toEqual({ v: 1, from: 1, to: 1 })
  expect(screen.queryByText('Not encrypted')).toBeNull()
})

it('a reaction leaves sealed, and is shown opened beside that of the partner', async () => {
  const people = await twoPeople()
  const message = await fromBen(people, 1, 'for my eyes')
  const target = { by: 'ben', id: 'b1' }
  const act = { conversationId: 'c', clientMessageId: 'r1', target, act: 'reaction' as const, replaces: null }
  const given = async (person: typeof people.ben, by: string, id: string) => {
    const { content = '', sealed } = (await person.text.prepareAct({
      ...{ ...act, clientMessageId: id, content: '😮' },
    })) as Sent
    return { by, id, content, ...(sealed && { sealed: { v: 1 as const, ...sealed } }) }
  }
  const theirs = await given(people.ben, 'ben', 'r1')
  await openChat(people, [{ ...message, version: 1, reactions: [theirs] }])
  const acts: Sent[] = []
  server.answers['POST /api/conversations/c/acts'] = (body) => {
    const { content, clientMessageId: id, sealed } = body as Sent
    acts.push(body as Sent)
    const mine = { by: 'me', id, content, ...(sealed && { sealed: { v: 1 as const, ...sealed } }) }
    return { status: 201, body: { ...message, version: 2, reactions: [theirs, mine] } }
  }
  await userEvent.click(await screen.findByRole('button', { name: /😮 from ben/ }))
  await waitFor(() => expect(acts).toHaveLength(1))
  expect(acts[0]?.content).toMatch(/^[\w-]{123}$/)
  expect(acts[0]?.sealed).toEqual({ v: 1, from: 1, to: 1 })
  await waitFor(() => expect(messaging.outbox.acts).toEqual([]))
  expect(screen.getByRole('button', { name: /😮.* from you and ben\. Remove yours/ })).toBeTruthy()
})

it('plain messages are marked once per run, and a tap explains it', async () => {
  const people = await twoPeople()
  const plain = (seq: number) => storedOf(seq, 'ben', outgoing(`plain ${seq}`, `p${seq}`))
  await openChat(people, [plain(1), plain(2), await fromBen(people, 3, 'sealed'), plain(4)])
  await screen.findByText('sealed')
  const marks = screen.getAllByRole('button', { name: 'Not encrypted' })
  expect(marks).toHaveLength(2)
  expect(screen.getAllByText('Encrypted from here on')).toHaveLength(1)
  await userEvent.click(marks[0] as HTMLElement)
  expect(screen.getByText('Not encrypted: the server could read or write this')).toBeTruthy()
})

it('a message that does not open, one that may be missing and one that came late each say so', async () => {
  const people = await twoPeople()
  const first = await fromBen(people, 1, 'first')
  const changed = { ...(await fromBen(people, 2, 'second')), senderId: 'me' }
  await people.ben.text.openPage('c', [storedOf(9, 'me', outgoing('', 'lost'))])
  const afterLost = await fromBen(people, 3, 'third', {
    createdAt: new Date(Date.now() + 11 * 60_000).toISOString(),
  })
  await openChat(people, [first, changed, afterLost])
  expect(await screen.findByText('This message was changed on its way and cannot be read')).toBeTruthy()
  expect(screen.getByText('A message may be missing here')).toBeTruthy()
  expect(screen.getByText(/^Written /)).toBeTruthy()
})

it('a new code of the partner: what was written before waits for a tap, what is written under the notice is sent', async () => {
  const people = await twoPeople()
  await openChat(people)
  await write('one')
  await waitFor(() => expect(posted).toHaveLength(1))
  const next = await newOwnKey('ben', 2)
  people.keys.shownKeys = [publicKeyOf(people.benKey), publicKeyOf(next)]
  answerToPost = ({ sealed, ...body }) =>
    sealed?.to === 1
      ? refusal(409, 'keys_changed')
      : {
          status: 201,
          body: storedOf(posted.length, 'me', outgoing(body.content, body.clientMessageId), {
            sealed: { v: 1, from: 1, to: 2 },
          }),
        }
  await write('two')
  expect(await screen.findByText(/ben’s security code changed\. This happens/)).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Send with the new code' })).toBeTruthy()
  await write('three')
  await waitFor(() => expect(posted.at(-1)?.sealed).toEqual({ v: 1, from: 1, to: 2 }))
  expect(posted).toHaveLength(3)
  expect(screen.queryByText(/security code changed\. This happens/)).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Send with the new code' }))
  await waitFor(() => expect(posted).toHaveLength(4))
  expect(posted[3]?.clientMessageId).toBe(posted[1]?.clientMessageId)
  expect(posted[3]?.sealed?.to).toBe(2)
})

it('one tap accepts the new code for what was written before', async () => {
  const people = await twoPeople()
  await openChat(people)
  await write('one')
  await waitFor(() => expect(posted).toHaveLength(1))
  people.keys.shownKeys = [publicKeyOf(people.benKey), publicKeyOf(await newOwnKey('ben', 2))]
  await act(() => people.me.text.refreshKeys('c'))
  const accept = answerToPost
  answerToPost = (body) => (body.sealed?.to === 1 ? refusal(409, 'keys_changed') : accept(body))
  act(() => void messaging.outbox.add('c', { messageType: 'text', content: 'two' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Send with the new code' }))
  await waitFor(() => expect(posted.at(-1)?.sealed?.to).toBe(2))
})

it('a compared code that changes takes the place of the composer until it is accepted', async () => {
  const people = await twoPeople()
  await openChat(people)
  await userEvent.click(screen.getByRole('button', { name: 'Conversation options' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Security code' }))
  expect(await screen.findAllByRole('listitem')).toHaveLength(12)
  await userEvent.click(screen.getByRole('button', { name: 'The digits are the same' }))
  expect(await screen.findByText('You compared this code with ben.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))

  people.keys.shownKeys = [publicKeyOf(people.benKey), publicKeyOf(await newOwnKey('ben', 2))]
  await act(() => people.me.text.refreshKeys('c'))
  expect(await screen.findByText(/security code changed, and you had compared it/)).toBeTruthy()
  expect(screen.queryByLabelText('Message')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Write without comparing' }))
  await write('after that')
  await waitFor(() => expect(posted.at(-1)?.sealed?.to).toBe(2))
})

it('an own message that the partner’s new key cannot open offers to be sent again', async () => {
  const people = await twoPeople()
  const earlier = browserOf('me', [people.myKey], people.keys)
  await earlier.meet({ id: 'ben', keys: [publicKeyOf(people.benKey)] })
  const sent = await earlier.text.prepare(outgoing('unread', 'k1'))
  const next = await newOwnKey('ben', 2)
  await openChat(people, [storedOf(1, 'me', sent)], [publicKeyOf(people.benKey), publicKeyOf(next)])
  await people.me.text.prepareTrust('c')
  const trust = people.me.text.trust('c')
  await act(() => people.me.text.accept('c', { print: 'print' in trust ? trust.print : '' }))
  expect(await screen.findByText('ben has new keys and may not be able to read this.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Send again' }))
  await waitFor(() => expect(posted[0]?.sealed?.to).toBe(2))
  expect(screen.queryByRole('button', { name: 'Send again' })).toBeNull()
})

it('a report attaches the opened texts', async () => {
  const people = await twoPeople()
  await openChat(people, [await fromBen(people, 1, 'an insult')])
  await screen.findByText('an insult')
  const reports: unknown[] = []
  server.answers['POST /api/conversations/c/reports'] = (body) => {
    reports.push(body)
    return { status: 201, body: { ok: true } }
  }
  await userEvent.click(screen.getByRole('button', { name: 'Conversation options' }))
  await userEvent.click(screen.getByRole('button', { name: 'Report' }))
  await userEvent.click(await screen.findByRole('checkbox'))
  await userEvent.click(screen.getByRole('button', { name: 'Send report' }))
  await waitFor(() => expect(reports).toHaveLength(1))
  expect(reports[0]).toMatchObject({ contents: [{ text: 'an insult' }] })
})
