import { conversationWith } from '../../../test/conversation-with.ts'
import { fakeApi } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { messageAt } from '../../../test/fake-messaging.tsx'
import { asApiError } from '../../api/base-api.ts'
import { messageStored } from './conversation-list.ts'
import { createListChanges } from './list-changes.ts'
import { prefetchList } from '../../app/next-screen.ts'
import { lookOf } from '../sealed/look.ts'
import { noKeys } from '../sealed/own-keys.ts'
import { changeList, listOf, messagingApi } from './messaging-api.ts'
import type { Opening } from './session-of.ts'
import { store, testPage } from '../../../test/page.ts'

const prefetch = () => {
  testPage.unlocked = { userId: 'u1', outboxKey: undefined, keys: Promise.resolve(noKeys) }
  prefetchList(testPage)
}

const { listConversations, startConversation } = messagingApi.endpoints
const opened = conversationWith({ id: 'new', createdAt: '2026-11-23T00:00:00.000Z', lastMessageAt: null })
let list: Answer | (() => Answer)
let server: ReturnType<typeof fakeApi>

beforeEach(() => {
  testPage.opening = { userId: 'me', list: createListChanges(), texts: new Promise(() => undefined) }
  list = { status: 200, body: [conversationWith()] }
  server = fakeApi({
    'GET /api/conversations': () => (typeof list === 'function' ? list() : list),
    'POST /api/conversations': () => ({ status: 201, body: opened }),
  })
})
afterEach(() => server.restore())

const fetchList = () =>
  store.dispatch(listConversations.initiate(undefined, { forceRefetch: true, subscribe: false }))
const ids = () => listOf(store.getState())?.map(({ id }) => id)

it('a conversation that is started is in the list without a fetch', async () => {
  await fetchList()
  await store.dispatch(startConversation.initiate('ABCD-EFGH-J')).unwrap()
  expect(ids()).toEqual(['new', 'c'])
  expect(server.asked.filter((call) => call === 'GET /api/conversations')).toHaveLength(1)
})

it('the server cannot say what a sealed message says: neither in the list nor in a conversation that is started', async () => {
  const look = { state: 'open', body: { t: 'forged', at: 1 } }
  const preview = {
    content: 'x',
    messageType: 'text',
    senderId: 'other',
    seq: 5,
    isRead: true,
    look,
  } as const
  const sealed = { v: 1, from: 1, to: 1 } as const
  const forged = (id: string) => conversationWith({ id, lastMessage: { ...preview, sealed } })
  list = { status: 200, body: [forged('c'), conversationWith({ id: 'plain', lastMessage: preview })] }
  server.answers['POST /api/conversations'] = () => ({ status: 201, body: forged('new') })
  await fetchList()
  await store.dispatch(startConversation.initiate('ABCD-EFGH-J')).unwrap()
  const looks = listOf(store.getState())?.map(({ lastMessage }) => lastMessage && lookOf(lastMessage).state)
  expect(looks?.toSorted()).toEqual(['closed', 'closed', 'plain'])
})

it('a conversation that could not be started changes nothing', async () => {
  await fetchList()
  server.answers['POST /api/conversations'] = () => ({ status: 404 })
  await store.dispatch(startConversation.initiate('ABCD-EFGH-J'))
  expect(ids()).toEqual(['c'])
})

it('what happens during a fetch of the list is applied to its answer, also without a list before', async () => {
  let answer: (value: { status: number; body: unknown }) => void = () => undefined
  list = () => new Promise((resolve) => (answer = resolve))
  const fetching = fetchList()
  await store.dispatch(startConversation.initiate('ABCD-EFGH-J')).unwrap()
  store.dispatch(changeList(messageStored(messageAt(6), 'me')))
  expect(ids()).toBeUndefined()
  answer({ status: 200, body: [conversationWith()] })
  await fetching
  expect(ids()).toEqual(['c', 'new'])
  expect(listOf(store.getState())?.[0]).toMatchObject({ lastSeq: 6, unreadCount: 1 })
})

it('a change that is still uncertain after the answer of a fetch is reported', async () => {
  await fetchList()
  let answer: (value: { status: number; body: unknown }) => void = () => undefined
  list = () => new Promise((resolve) => (answer = resolve))
  const fetching = fetchList()
  await Promise.resolve()
  store.dispatch(changeList(messageStored(messageAt(6), 'me')))
  let reports = 0
  const stop = (testPage.opening as Opening).list.onUncertain(() => (reports += 1))
  answer({ status: 200, body: [conversationWith({ lastSeq: 4 })] })
  await fetching
  expect(reports).toBe(1)
  stop()
})

it('the first fetch of the list takes the answer that was fetched ahead, unless that failed', async () => {
  const fetches = () => server.asked.length
  prefetch()
  await fetchList()
  expect(ids()).toEqual(['c'])
  expect(fetches()).toBe(1)
  await fetchList()
  expect(fetches()).toBe(2)
  list = 'no connection'
  prefetch()
  list = { status: 200, body: [opened] }
  await fetchList()
  expect(ids()).toEqual(['new'])
  expect(fetches()).toBe(4)
})

it('the list survives an answer that is none, which counts as no connection', async () => {
  await fetchList()
  list = { status: 200, body: 'Welcome to this network!' }
  const { error } = await fetchList()
  expect(asApiError(error)?.status).toBe(0)
  expect(ids()).toEqual(['c'])
})
