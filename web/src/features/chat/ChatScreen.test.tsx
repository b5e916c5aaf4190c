import { jest } from '@jest/globals'
import { act, cleanup, render, screen, waitFor } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { conversationWith } from '../../../test/conversation-with.ts'
import { fakeApi, refusal } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { fakeMessaging, messageAt } from '../../../test/fake-messaging.tsx'
import { Tooltips } from '../../shared/ui/TipButton.tsx'
import { ChatScreen } from './ChatScreen.tsx'
import { beginUpload } from '../media/begin-upload.ts'
import { keepStub } from '../media/lost-files.ts'
import type { SendMediaOptions } from '../media/chosen-media.ts'
import { media, page } from '../../../test/page.ts'

const list = 'GET /api/conversations'
let server: ReturnType<typeof fakeApi>
let messaging: Awaited<ReturnType<typeof fakeMessaging>>

beforeEach(async () => {
  server = fakeApi({
    [list]: () => ({ status: 200, body: [conversationWith()] }),
    'GET /api/conversations/c/messages?limit=50': () => ({
      status: 200,
      body: [messageAt(5, { isRead: true })],
    }),
  })
  messaging = await fakeMessaging()
})
afterEach(() => {
  cleanup()
  act(() => server.restore())
  messaging.close()
})

const open = (id = 'c') =>
  render(
    <messaging.Wrapper>
      <Tooltips>
        <MemoryRouter initialEntries={[`/conversation/${id}`]}>
          <Routes>
            <Route path="/conversation/:id" element={<ChatScreen />} />
            <Route path="/messaging" element={<p>the list</p>} />
          </Routes>
        </MemoryRouter>
      </Tooltips>
    </messaging.Wrapper>,
  )
const notFound = () => screen.queryByText('Conversation not found')

it('CHAT-01 CHAT-04 CHAT-06 CHAT-10: a chat shows that it is loading, then who it is with and what was said', async () => {
  let answer: (given: { status: number; body: unknown }) => void = () => undefined
  server.answers[list] = () => new Promise((resolve) => (answer = resolve))
  open()
  expect(screen.getByText('Loading...')).toBeTruthy()
  expect(screen.queryByRole('heading')).toBeNull()
  await waitFor(() => expect(server.asked).toContain(list))
  act(() => answer({ status: 200, body: [conversationWith()] }))
  expect((await screen.findByRole('heading')).textContent).toBe('ben')
  expect(screen.getByText('ABCD-EFGH-J')).toBeTruthy()
  expect(await screen.findByText('no. 5')).toBeTruthy()
})

it('CALL-07: the data of a chat is fetched by GET, from addresses whose parts are joined with /', async () => {
  open()
  expect(await screen.findByText('no. 5')).toBeTruthy()
  const addresses = server.asked.filter((call) => !call.startsWith('POST')).map((call) => call.split('?')[0])
  expect(new Set(addresses)).toEqual(new Set(['GET /api/conversations', 'GET /api/conversations/c/messages']))
})

it('CHAT-05: a chat with a person without a name is with an unknown user', async () => {
  const otherUser = { id: 'other', username: '', userCode: 'ABCD-EFGH-J' }
  server.answers[list] = () => ({ status: 200, body: [conversationWith({ otherUser })] })
  open()
  expect((await screen.findByRole('heading')).textContent).toBe('Unknown User')
})

it('CHAT-07: the back button of a chat leads to the list', async () => {
  open()
  await screen.findByRole('heading', { name: 'ben' })
  await userEvent.click(screen.getByRole('button', { name: 'Back to Messages' }))
  expect(screen.getByText('the list')).toBeTruthy()
})

it('CHAT-02 CHAT-03: a conversation that is not in the list is not found, and a button leads to the list', async () => {
  open('unknown')
  await waitFor(() => expect(notFound()).not.toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'Back to Messages' }))
  expect(screen.getByText('the list')).toBeTruthy()
})

it('a conversation that does not exist is asked for once', async () => {
  jest.useFakeTimers({ advanceTimers: true })
  try {
    open('unknown')
    await waitFor(() => expect(notFound()).not.toBeNull())
    await act(() => jest.advanceTimersByTimeAsync(10_000))
    expect(server.asked.filter((asked) => asked.endsWith('/unknown'))).toHaveLength(1)
  } finally {
    jest.useRealTimers()
  }
})

it('a chat opens although its conversation is on no loaded page of the list', async () => {
  const byId = 'GET /api/conversations/c'
  server.answers[list] = () => ({ status: 200, body: [conversationWith({ id: 'other' })] })
  const answers: Answer[] = ['no connection', { status: 200, body: conversationWith() }]
  server.answers[byId] = () => answers.shift() as Answer
  open()
  expect((await screen.findByRole('heading', {}, { timeout: 8000 })).textContent).toBe('ben')
  expect(answers).toEqual([])
  expect(notFound()).toBeNull()
})

it.each<[string, Answer]>([
  ['refused', refusal(503, 'unavailable')],
  ['not answered', 'no connection'],
])('a chat goes on loading while the fetch of the list is %s', async (_name, answer) => {
  let isAnswered = false
  server.answers[list] = () => {
    isAnswered = true
    return answer
  }
  open()
  await waitFor(() => expect(isAnswered).toBe(true))
  await act(() => new Promise((resolve) => setTimeout(resolve)))
  expect(notFound()).toBeNull()
  expect(screen.getByText('Loading...')).toBeTruthy()
})

it('a chat with a person who is leaving keeps the messages and says so in place of the composer', async () => {
  const row = conversationWith({ canSend: false })
  server.answers[list] = () => ({
    status: 200,
    body: [{ ...row, otherUser: { ...row.otherUser, isGone: true } }],
  })
  open()
  expect(await screen.findByText('no. 5')).toBeTruthy()
  expect(await screen.findByText(/This person is no longer here/)).toBeTruthy()
  expect(screen.queryByLabelText('Message')).toBeNull()
})

it('a deleted conversation leaves no text and no file that waits to be sent or to be chosen again', async () => {
  let left: unknown
  const keepLeft = () => void media.unsent.read().then(({ files }) => (left = files))
  const replace = jest.spyOn(page, 'replace').mockImplementation(keepLeft)
  server.answers['DELETE /api/conversations/c'] = () => ({ status: 200, body: { ok: true } })
  const chosen = { file: new Blob(), caption: 'At the sea' }
  const look = { messageType: 'image' as const, still: null, width: 0, height: 0 }
  for (const conversationId of ['c', 'd'])
    void beginUpload(
      chosen,
      look,
      { conversationId, media } as SendMediaOptions,
      new Promise(() => undefined),
    )
  keepStub(media.unsent, { id: 'lost', conversationId: 'c', kind: 'image', caption: '' })
  server.answers['POST /api/messages'] = () => refusal(503, 'unavailable')
  for (const id of ['c', 'd']) messaging.outbox.add(id, { messageType: 'text', content: 'waits' })
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'Conversation options' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete conversation' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete for me' }))
  await waitFor(() => expect(left).toMatchObject([{ conversationId: 'd' }]))
  expect(media.uploads.get()).toMatchObject([{ conversationId: 'd' }])
  expect(messaging.outbox.items).toMatchObject([{ message: { conversationId: 'd' } }])
  media.uploads.get()[0]?.cancel()
  replace.mockRestore()
})

it('a conversation is deleted after a warning, and its messages leave the page', async () => {
  const replace = jest.spyOn(page, 'replace').mockImplementation(() => undefined)
  const remove = 'DELETE /api/conversations/c'
  server.answers[remove] = () => refusal(503, 'unavailable')
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'Conversation options' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete conversation' }))
  expect(await screen.findByText(/ben keeps them and is not told/)).toBeTruthy()
  expect(server.asked).not.toContain(remove)
  await userEvent.click(screen.getByRole('button', { name: 'Delete for me' }))
  expect(await screen.findByText('unavailable')).toBeTruthy()
  expect(replace).not.toHaveBeenCalled()

  server.answers[remove] = () => ({ status: 200, body: { ok: true } })
  await userEvent.click(screen.getByRole('button', { name: 'Delete for me' }))
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/messaging'))
  replace.mockRestore()
})
