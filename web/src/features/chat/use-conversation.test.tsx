import { systemClock } from '@sumlock/sync/system-clock'
import { act, renderHook, waitFor } from '../../../test/render.tsx'
import { conversationWith } from '../../../test/conversation-with.ts'
import { fakeApi } from '../../../test/fake-api.ts'
import { fakeMessaging, messageAt } from '../../../test/fake-messaging.tsx'
import { api } from '../../api/base-api.ts'
import { messageStored } from '../conversations/conversation-list.ts'
import { followEvents } from '../conversations/follow-events.ts'
import { createListRefresher } from '../conversations/list-refresher.ts'
import { changeList, listOf, messagingApi } from '../conversations/messaging-api.ts'
import { useConversation, useSend } from './use-conversation.ts'
import { store, testPage } from '../../../test/page.ts'

const first = 'GET /api/conversations/c/messages?limit=50'
const read = 'POST /api/conversations/c/read'
let server: ReturnType<typeof fakeApi>
let messaging: Awaited<ReturnType<typeof fakeMessaging>>

beforeEach(async () => {
  server = fakeApi({
    'GET /api/conversations': () => ({ status: 200, body: [conversationWith()] }),
    [first]: () => ({ status: 200, body: [messageAt(5, { isRead: true })] }),
    [read]: () => ({ status: 200, body: {} }),
    'POST /api/messages': (body) => ({
      status: 201,
      body: messageAt(6, { senderId: 'me', ...(body as object) }),
    }),
  })
  messaging = await fakeMessaging()
})
afterEach(() => {
  act(() => server.restore())
  messaging.close()
})

async function open() {
  const opened = renderHook(() => ({ ...useConversation('c'), send: useSend('c') }), {
    wrapper: messaging.Wrapper,
  })
  await waitFor(() => expect(opened.result.current.state.loaded).toBe(true))
  return opened
}
const arrive = (seq: number) =>
  act(() => messaging.connection.emit({ type: 'new_message', data: messageAt(seq) }))
/** As if the messages up to this one were on the screen. */
const show = (seq: number) => act(() => messaging.views.get('c')?.show(seq))
const cached = () => messagingApi.endpoints.getMessages.select('c')(store.getState()).data

it('an open conversation shows a message that arrives, without a fetch, and reports it as read', async () => {
  const { result } = await open()
  arrive(6)
  await waitFor(() => expect(result.current.state.messages.map(({ seq }) => seq)).toEqual([5, 6]))
  // A report would have started with a call for the CSRF token.
  expect(server.asked).toEqual([first])
  show(6)
  await waitFor(() => expect(server.asked).toContain(read))
  expect(server.asked.filter((call) => call.includes('/messages'))).toEqual([first])
})

it('a conversation with unread messages asks for what follows the read mark, and counts down by what was shown', async () => {
  const unread = Array.from({ length: 9 }, (_, index) => messageAt(index + 1, { isRead: index < 3 }))
  server.answers['GET /api/conversations'] = () => ({
    status: 200,
    body: [conversationWith({ lastSeq: 9, unreadCount: 6, readSeq: 3 })],
  })
  server.answers['GET /api/conversations/c/messages?after=0&limit=50'] = () => ({ status: 200, body: unread })
  await store.dispatch(messagingApi.endpoints.listConversations.initiate())
  await open()
  expect(server.asked.at(-1)).toBe('GET /api/conversations/c/messages?after=0&limit=50')
  show(5)
  await waitFor(() => expect(listOf(store.getState())?.[0]?.unreadCount).toBe(4))
  act(() =>
    messaging.connection.emit({
      type: 'message_read',
      data: { conversationId: 'c', readerId: 'me', seq: 7 },
    }),
  )
  expect(listOf(store.getState())?.[0]?.unreadCount).toBe(2)
  expect(server.asked.filter((call) => call === 'GET /api/conversations')).toHaveLength(1)
})

it('an open conversation shows an own message before the answer, and as stored after it', async () => {
  let answer: () => void = () => undefined
  const { result } = await open()
  server.answers['POST /api/messages'] = (body) =>
    new Promise((resolve) => {
      answer = () => resolve({ status: 201, body: messageAt(6, { senderId: 'me', ...(body as object) }) })
    })
  await act(() => result.current.send({ messageType: 'text', content: 'own' }))
  await waitFor(() => expect(result.current.pending.map(({ message }) => message.content)).toEqual(['own']))
  await waitFor(() => expect(server.asked).toContain('POST /api/messages'))
  act(() => answer())
  await waitFor(() => expect(result.current.state.messages.at(-1)?.content).toBe('own'))
  expect(result.current.pending).toEqual([])
})

it('the draft ends together with the send of its text, and stays when another text is sent', async () => {
  const { result } = await open()
  const { outbox, drafts } = messaging
  const add = outbox.add.bind(outbox)
  const found: string[] = []
  outbox.add = (...args) => {
    found.push(drafts.get('c'))
    queueMicrotask(() => found.push(drafts.get('c')))
    return add(...args)
  }
  drafts.set('c', 'own')
  await act(() => result.current.send({ messageType: 'text', content: 'another' }))
  expect(found).toEqual(['own', 'own'])
  await act(() => result.current.send({ messageType: 'text', content: 'own' }, { endsDraft: true }))
  expect(found.slice(2)).toEqual(['own', ''])
})

it('STATE-29: a sent message is in the chat and in the list, which is not fetched again', async () => {
  await store.dispatch(messagingApi.endpoints.listConversations.initiate())
  const refresher = createListRefresher(testPage, messaging, store.dispatch, systemClock)
  const stop = followEvents(testPage, messaging, store.dispatch, refresher)
  const { result } = await open()
  server.asked.length = 0
  await act(() => result.current.send({ messageType: 'text', content: 'own' }))
  await waitFor(() => expect(result.current.state.messages.at(-1)?.content).toBe('own'))
  expect(listOf(store.getState())?.[0]).toMatchObject({
    lastSeq: 6,
    lastMessage: { content: 'own', senderId: 'me', isRead: false },
  })
  expect(server.asked).not.toContain('GET /api/conversations')
  stop()
  refresher.close()
})

it('the row of a conversation counts what was read in it, once the server has stored that', async () => {
  await store.dispatch(messagingApi.endpoints.listConversations.initiate())
  const { result } = await open()
  store.dispatch(changeList(messageStored(messageAt(6), 'me')))
  expect(listOf(store.getState())?.[0]?.unreadCount).toBe(1)
  arrive(6)
  show(6)
  await waitFor(() => expect(listOf(store.getState())?.[0]?.unreadCount).toBe(0))
  expect(result.current.state.messages).toHaveLength(2)
})

it('a conversation that was left is not reported as read, and shows at once what arrived meanwhile', async () => {
  const { unmount } = await open()
  unmount()
  arrive(6)
  expect(cached()?.messages).toHaveLength(2)
  // A report would have started with a call for the CSRF token.
  expect(server.asked).toEqual([first])
  const { result } = renderHook(() => useConversation('c'), { wrapper: messaging.Wrapper })
  expect(result.current.state.messages.map(({ seq }) => seq)).toEqual([5, 6])
  show(6)
  await waitFor(() => expect(server.asked).toContain(read))
})

it('the sync engine of a conversation stops when its messages leave the cache', async () => {
  const { unmount } = await open()
  unmount()
  await act(async () => {
    await Promise.resolve(store.dispatch(api.util.resetApiState()))
  })
  server.asked.length = 0
  // An open conversation would fetch the missing messages before this one.
  arrive(9)
  messaging.connection.set({ connected: false })
  messaging.connection.set({ connected: true })
  await act(() => Promise.resolve())
  expect(server.asked).toEqual([])
})

it('the messages of a conversation survive a failed fetch', async () => {
  const { result } = await open()
  server.answers['GET /api/conversations/c/messages?after=5&limit=200'] = () => ({ status: 503 })
  act(() => result.current.view?.onFocus())
  await waitFor(() => expect(result.current.state.error?.status).toBe(503))
  expect(result.current.state.messages).toHaveLength(1)
})

it('a message that arrives among 1,000 leaves the others as they are: neither copied nor visited', async () => {
  const many = Array.from({ length: 1000 }, (_, index) => messageAt(index + 1, { isRead: true }))
  server.answers[first] = () => ({ status: 200, body: many })
  await open()
  const before = cached()?.messages ?? []
  arrive(1001)
  await waitFor(() => expect(cached()?.messages).toHaveLength(1001))
  expect(cached()?.messages.every((message, index) => index === 1000 || message === before[index])).toBe(true)
  // immer freezes each object that it visits.
  expect(before.some((message) => Object.isFrozen(message))).toBe(false)
})
