import { jest } from '@jest/globals'
import type { ServerEvent } from '@sumlock/contracts/socket'
import { waitFor } from '@testing-library/react'
import { FakeClock } from '@sumlock/sync/test-support/fake-clock'
import type { fakeLive } from '@sumlock/sync/test-support/fake-live'
import { fakeApi, lockedUser, refusal, unlockedUser } from '../../../test/fake-api.ts'
import { conversationWith } from '../../../test/conversation-with.ts'
import { fakeMessaging, messageAt } from '../../../test/fake-messaging.tsx'
import { sessionApi } from '../session/session-api.ts'
import { followEvents } from './follow-events.ts'
import { createListRefresher } from './list-refresher.ts'
import { listOf, messagingApi } from './messaging-api.ts'
import { onSignedOut, store, page, toasts as toastStore, testPage } from '../../../test/page.ts'

const list = 'GET /api/conversations'
const changes = 'GET /api/changes'
const user = 'GET /api/user'
const realReplace = page.replace
let replaced: string[] = []
let server: ReturnType<typeof fakeApi>
/** The server's data: one conversation with five read messages. */
let unlimited: boolean

const noChanges = {
  now: '2026-11-25T00:00:00.000Z',
  pollAfterMs: 3000,
  isWhole: false,
  conversations: [],
  removed: [],
}

/** The queries of the list and the user, which the screens keep open. */
const subscriptions: { unsubscribe: () => void }[] = []
let messaging: Awaited<ReturnType<typeof fakeMessaging>>
beforeEach(async () => {
  messaging = await fakeMessaging()
  unlimited = true
  replaced = []
  page.replace = (address) => void replaced.push(address)
  server = fakeApi({
    [list]: () => ({ status: 200, body: [conversationWith({ unlimited })] }),
    [changes]: () => ({ status: 200, body: noChanges }),
    [user]: () => ({ status: 200, body: unlockedUser }),
  })
  await fetchBoth()
})
async function fetchBoth() {
  const listed = store.dispatch(
    messagingApi.endpoints.listConversations.initiate(undefined, { forceRefetch: true }),
  )
  const signedIn = store.dispatch(sessionApi.endpoints.getUser.initiate(undefined, { forceRefetch: true }))
  subscriptions.push(listed, signedIn)
  await Promise.all([listed, signedIn])
  server.asked.length = 0
}
afterEach(() => {
  for (const { unsubscribe } of subscriptions.splice(0)) unsubscribe()
  server.restore()
  page.replace = realReplace
})

function follow(initial: Parameters<typeof fakeLive>[0] = { connected: false }) {
  const { session, connection, tellStored } = messaging
  connection.set(initial)
  const clock = new FakeClock()
  const refresher = createListRefresher(testPage, session, store.dispatch, clock)
  const stop = followEvents(testPage, session, store.dispatch, refresher)
  return {
    ...connection,
    clock,
    tellStored,
    stop: () => {
      stop()
      refresher.close()
    },
  }
}
/** The connection has been open for a while, so the changes at its start were already fetched. */
async function followConnected() {
  const followed = follow()
  followed.set({ connected: true })
  await followed.clock.advance(2000)
  server.asked.length = 0
  return followed
}
const asked = () => server.asked.map((call) => call.split('?')[0]).sort()
const row = (id = 'c') => listOf(store.getState())?.find((one) => one.id === id)
const message = (seq: number, senderId = 'other') => messageAt(seq, { senderId })
const arrives = (seq: number, senderId?: string): ServerEvent => ({
  type: 'new_message',
  data: message(seq, senderId),
})

describe('the list', () => {
  it('shows twenty messages of the other side, and that they were read, without a fetch', async () => {
    const { emit, clock, stop } = await followConnected()
    for (let seq = 6; seq <= 25; seq += 1) emit(arrives(seq))
    await clock.advance(10_000)
    expect(row()).toMatchObject({
      lastSeq: 25,
      unreadCount: 20,
      lastMessage: { content: 'no. 25', senderId: 'other', isRead: false },
      lastMessageAt: message(25).createdAt,
    })
    emit({ type: 'message_read', data: { conversationId: 'c', readerId: 'me', seq: 25 } })
    expect(row()).toMatchObject({ unreadCount: 0, lastMessage: { isRead: true } })
    await clock.advance(10_000)
    expect(server.asked).toEqual([])
    stop()
  })

  it('shows own messages of this and of another device, without a fetch while they are unlimited', async () => {
    const { emit, tellStored, clock, stop } = await followConnected()
    tellStored(message(6, 'me'))
    emit(arrives(6, 'me'))
    emit(arrives(7, 'me'))
    expect(row()).toMatchObject({ lastSeq: 7, unreadCount: 0, lastMessage: { senderId: 'me' } })
    await clock.advance(10_000)
    expect(server.asked).toEqual([])
    stop()
  })

  it('is fetched once in a second when messages are missing', async () => {
    const { emit, clock, stop } = await followConnected()
    for (const seq of [7, 9, 11]) emit(arrives(seq))
    await clock.advance(0)
    expect(server.asked).toEqual([list])
    emit(arrives(13))
    await clock.advance(999)
    expect(server.asked).toEqual([list])
    await clock.advance(10_000)
    expect(server.asked).toEqual([list, list])
    stop()
  })

  it('is fetched for a message of an unknown conversation, and when one was opened elsewhere', async () => {
    const { emit, clock, stop } = await followConnected()
    emit({ type: 'new_message', data: { ...message(1), conversationId: 'unknown' } })
    await clock.advance(2000)
    expect(server.asked).toEqual([list])
    emit({ type: 'conversation_started', data: { conversationId: 'c' } })
    await clock.advance(2000)
    expect(server.asked).toEqual([list])
    emit({ type: 'conversation_started', data: { conversationId: 'other' } })
    await clock.advance(2000)
    expect(server.asked).toEqual([list, list])
    emit({ type: 'conversation_deleted', data: { conversationId: 'c' } })
    expect(listOf(store.getState())).toEqual([])
    stop()
  })

  it('contains a message that arrives while it is being fetched, and then stays as it is', async () => {
    let answer: () => void = () => undefined
    const { emit, clock, stop } = await followConnected()
    server.answers[list] = () =>
      new Promise((resolve) => {
        answer = () => resolve({ status: 200, body: [conversationWith({ unlimited })] })
      })
    emit({ type: 'conversation_changed', data: { conversationId: 'c' } })
    await clock.advance(0)
    emit(arrives(6))
    answer()
    await clock.advance(2000)
    expect(row()).toMatchObject({ lastSeq: 6, unreadCount: 1 })
    expect(asked()).toEqual([list])
    stop()
  })

  it('stays as it is when a fetch fails, and is fetched again until one succeeds', async () => {
    const { emit, clock, stop } = await followConnected()
    server.answers[list] = () => refusal(503, 'unavailable')
    emit({ type: 'limits_changed', data: {} })
    await clock.advance(4500)
    expect(asked()).toEqual([list, list, user])
    expect(row()?.lastSeq).toBe(5)
    server.answers[list] = () => ({ status: 200, body: [conversationWith({ lastSeq: 9 })] })
    await clock.advance(60_000)
    expect(asked()).toEqual([list, list, list, user])
    expect(row()?.lastSeq).toBe(9)
    stop()
  })
})

describe('list and user', () => {
  it('are fetched when premium begins or ends for either side', async () => {
    const { emit, clock, stop } = await followConnected()
    emit({ type: 'limits_changed', data: {} })
    await clock.advance(2000)
    expect(asked()).toEqual([list, user])
    stop()
  })

  it('are fetched once after an own message that counted, for its answer and its event', async () => {
    unlimited = false
    await fetchBoth()
    const { emit, tellStored, clock, stop } = await followConnected()
    tellStored(message(6, 'me'))
    emit(arrives(6, 'me'))
    await clock.advance(5000)
    expect(asked()).toEqual([list, user])
    stop()
  })

  it('are fetched after an own message that another device sent and that counted', async () => {
    unlimited = false
    await fetchBoth()
    const { emit, clock, stop } = await followConnected()
    emit(arrives(6, 'me'))
    await clock.advance(2000)
    expect(asked()).toEqual([list, user])
    stop()
  })

  it.each(['focus', 'online'])('are fetched at %s until it is stopped', async (type) => {
    const { clock, stop } = await followConnected()
    window.dispatchEvent(new Event(type))
    await clock.advance(2000)
    expect(asked()).toEqual([list, user])
    stop()
    window.dispatchEvent(new Event(type))
    await clock.advance(2000)
    expect(server.asked).toHaveLength(2)
  })
})

it.each([false, true])(
  'the changes are fetched at the first connection, also when it was connected before (%s), and nothing when someone goes online',
  async (connected) => {
    const { emit, set, clock, stop } = follow({ connected })
    if (!connected) set({ connected: true })
    await clock.advance(2000)
    expect(server.asked).toEqual([changes])
    emit({ type: 'status' } as ServerEvent)
    await clock.advance(2000)
    expect(server.asked).toEqual([changes])
    stop()
  },
)

it('the changes are fetched at the first connection after a fetch that is in flight, which may be older', async () => {
  let answer: () => void = () => undefined
  server.answers[list] = () =>
    new Promise((resolve) => {
      answer = () => resolve({ status: 200, body: [conversationWith({ lastSeq: 6 })] })
    })
  const newer = { ...noChanges, conversations: [conversationWith({ lastSeq: 7 })] }
  server.answers[changes] = () => ({ status: 200, body: newer })
  const { listConversations } = messagingApi.endpoints
  void store.dispatch(listConversations.initiate(undefined, { forceRefetch: true, subscribe: false }))
  const { set, clock, stop } = follow()
  set({ connected: true })
  await clock.advance(0)
  expect(server.asked).toEqual([list])
  answer()
  await clock.advance(0)
  expect(server.asked).toEqual([list, changes])
  expect(row()?.lastSeq).toBe(7)
  stop()
})

it('ERR-36: errors of the live connection are logged by their reason, and not shown', () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
  const { fail, stop } = follow()
  fail('transport close')
  expect(warn.mock.calls).toEqual([['The live connection was lost: transport close']])
  expect(toastStore.get()).toBeNull()
  warn.mockRestore()
  stop()
})

describe('a connection that is refused', () => {
  let timesSignedOut = 0
  let stopCounting: () => void
  beforeEach(() => {
    timesSignedOut = 0
    stopCounting = onSignedOut(() => (timesSignedOut += 1))
  })
  afterEach(() => stopCounting())

  it('replaces the page by the calculator when the session is locked', async () => {
    const { set, stop } = follow()
    set({ connected: false, refusal: 'locked' })
    await waitFor(() => expect(replaced).toEqual(['/']))
    expect(timesSignedOut).toBe(0)
    stop()
  })

  it('replaces the page when the session was locked before the first state', async () => {
    const { stop } = follow({ connected: false, refusal: 'locked' })
    await waitFor(() => expect(replaced).toEqual(['/']))
    stop()
  })

  it('reports the end of the session when there is none', () => {
    const { set, stop } = follow()
    set({ connected: false, refusal: 'no_session' })
    expect(timesSignedOut).toBe(1)
    expect(replaced).toEqual([])
    stop()
  })

  it('without a readable reason fetches the user, at most once in 30 s, and stays while the session is unlocked', async () => {
    const { failAttempt, clock, stop } = follow()
    const now = jest.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000)
    failAttempt()
    await clock.advance(0)
    now.mockReturnValue(1_700_000_029_999)
    failAttempt()
    await clock.advance(0)
    expect(server.asked).toEqual([user])
    now.mockReturnValue(1_700_000_030_000)
    failAttempt()
    await clock.advance(0)
    expect(server.asked).toEqual([user, user])
    now.mockRestore()
    expect(replaced).toEqual([])
    expect(timesSignedOut).toBe(0)
    stop()
  })

  it('without a readable reason replaces the page when the user is locked', async () => {
    const { failAttempt, clock, stop } = follow()
    server.answers[user] = () => ({ status: 200, body: lockedUser })
    failAttempt()
    await clock.advance(0)
    expect(replaced).toEqual(['/'])
    stop()
  })

  it('without a readable reason reports the end of the session when the user is refused', async () => {
    const { failAttempt, clock, stop } = follow()
    server.answers[user] = () => refusal(401, 'unauthenticated')
    failAttempt()
    await clock.advance(0)
    expect(timesSignedOut).toBe(1)
    stop()
  })
})
