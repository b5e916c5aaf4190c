import { jest } from '@jest/globals'
import { waitFor } from '@testing-library/react'
import type { Changes } from '@sumlock/contracts/changes-routes'
import { limits } from '@sumlock/contracts/limits'
import { FakeClock } from '@sumlock/sync/test-support/fake-clock'
import { fakeApi, refusal, unlockedUser } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { conversationWith } from '../../../test/conversation-with.ts'
import { fakeMessaging, messageAt } from '../../../test/fake-messaging.tsx'
import { sessionApi } from '../session/session-api.ts'
import { conversationOpened, messagesRead } from './conversation-list.ts'
import { createListRefresher } from './list-refresher.ts'
import { api } from '../../api/base-api.ts'
import { changeList, entryOf, listOf, messagingApi } from './messaging-api.ts'
import './offline-parts.ts'
import { store, page, testPage } from '../../../test/page.ts'

const list = 'GET /api/conversations'
const changes = 'GET /api/changes'
const user = 'GET /api/user'
const messages = 'GET /api/conversations/c/messages'
const realReplace = page.replace

let server: ReturnType<typeof fakeApi>
let messaging: Awaited<ReturnType<typeof fakeMessaging>>
let clock: FakeClock
let refresher: ReturnType<typeof createListRefresher>
const subscriptions: { unsubscribe: () => void }[] = []

beforeEach(async () => {
  server = fakeApi({
    [list]: () => ({ status: 200, body: [conversationWith(), conversationWith({ id: 'd', ...at(1) })] }),
    [user]: () => ({ status: 200, body: unlockedUser }),
    [messages]: () => ({ status: 200, body: [messageAt(1)] }),
  })
  answer()
  messaging = await fakeMessaging({ connected: false })
  clock = new FakeClock()
  subscriptions.push(
    store.dispatch(messagingApi.endpoints.listConversations.initiate()),
    store.dispatch(sessionApi.endpoints.getUser.initiate()),
  )
  await clock.advance(0)
  refresher = createListRefresher(testPage, messaging, store.dispatch, clock)
  server.asked.length = 0
})
afterEach(() => {
  for (const { unsubscribe } of subscriptions.splice(0)) unsubscribe()
  refresher.close()
  messaging.close()
  server.restore()
  page.replace = realReplace
})

/** A time this many days after the first conversation was active. */
const at = (days: number) => {
  const time = new Date(Date.UTC(2026, 10, 22 + days)).toISOString()
  return { activeAt: time, lastMessageAt: time }
}
const now = '2026-11-25T00:00:00.000Z'
const answerWith = (change: Partial<Changes> = {}) => ({
  status: 200,
  body: { now, pollAfterMs: 3000, isWhole: false, conversations: [], removed: [], ...change },
})
const answer = (change?: Partial<Changes>) => {
  server.answers[changes] = () => answerWith(change)
}
const paths = () => server.asked.map((call) => call.split('?')[0])
const ids = () => listOf(store.getState())?.map(({ id }) => id)
const row = (id = 'c') => listOf(store.getState())?.find((one) => one.id === id)
/** Shows the conversation `c`, whose messages are then fetched by its own timer, until it is reported as read. */
const openChat = async () => {
  subscriptions.push(store.dispatch(messagingApi.endpoints.getMessages.initiate('c')))
  await waitFor(() => expect(messaging.views.get('c')?.getState().loaded).toBe(true))
  messaging.views.get('c')?.show(Infinity)
  await waitFor(() => expect(paths()).toContain('POST /api/conversations/c/read'))
  server.asked.length = 0
}

describe('while the connection is cut', () => {
  it('changed conversations are put into the list, the newest first, and the others stay', async () => {
    const before = row('d')
    answer({
      conversations: [conversationWith({ ...at(2), lastSeq: 6 }), conversationWith({ id: 'e', ...at(-1) })],
    })
    await clock.advance(3000)
    expect(paths()).toEqual([changes])
    expect(ids()).toEqual(['c', 'd', 'e'])
    expect(row()?.lastSeq).toBe(6)
    expect(row('d')).toBe(before)
  })

  it('each poll names the time of the last answer, and comes when the server wants it', async () => {
    answer({ pollAfterMs: 12_000 })
    await clock.advance(3000)
    expect(server.asked).toEqual([changes])
    await clock.advance(11_999)
    expect(server.asked).toHaveLength(1)
    await clock.advance(1)
    expect(server.asked).toEqual([changes, `${changes}?since=${encodeURIComponent(now)}`])
  })

  it('a hidden page does not poll, and does so at once when it is shown again', async () => {
    const hidden = jest.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    document.dispatchEvent(new Event('visibilitychange'))
    await clock.advance(60_000)
    expect(server.asked).toEqual([])
    hidden.mockReturnValue(false)
    document.dispatchEvent(new Event('visibilitychange'))
    await clock.advance(0)
    expect(server.asked).toEqual([changes])
    hidden.mockRestore()
  })

  it('a removed conversation leaves the list, and its open chat the page', async () => {
    const replaced: string[] = []
    page.replace = (address) => void replaced.push(address)
    await openChat()
    answer({ removed: ['d'] })
    await clock.advance(3000)
    expect(ids()).toEqual(['c'])
    expect(replaced).toEqual([])
    messaging.outbox.add('c', { messageType: 'text', content: 'waits' })
    answer({ removed: ['c'] })
    await clock.advance(3000)
    expect(ids()).toEqual([])
    expect(messaging.outbox.items).toEqual([])
    expect(replaced).toEqual(['/messaging'])
  })

  it('the messages of the open conversation are fetched when it has changed, once for each change', async () => {
    await openChat()
    answer({ conversations: [conversationWith({ id: 'd', lastSeq: 6 })] })
    await clock.advance(3000)
    expect(paths()).toEqual([changes])
    answer({ conversations: [conversationWith({ lastSeq: 6 })] })
    await clock.advance(3000)
    expect(paths()).toEqual([changes, changes, messages])
    await clock.advance(3000)
    expect(paths()).toEqual([changes, changes, messages, changes])
    answer({ conversations: [conversationWith({ lastSeq: 7 })] })
    await clock.advance(3000)
    expect(paths().filter((path) => path === messages)).toHaveLength(2)
  })

  it('the changed messages of the open conversation are fetched when its row has a higher version, once', async () => {
    await openChat()
    answer({ conversations: [conversationWith({ version: 1 })] })
    await clock.advance(3000)
    const changed = () => server.asked.filter((call) => call.includes('changedSince=0'))
    expect(changed()).toHaveLength(1)
    answer({ conversations: [conversationWith({ version: 1, isMuted: true })] })
    await clock.advance(3000)
    expect(changed()).toHaveLength(1)
    // The server was restored.
    answer({ conversations: [conversationWith({ version: 0 })] })
    await clock.advance(3000)
    expect(changed()).toHaveLength(2)
  })

  it('a whole list replaces the first page, keeps the later ones, and brings the user unless it is the first answer', async () => {
    const first = Array.from({ length: limits.pageOfConversations }, (_, index) =>
      conversationWith({ id: `p${index}`, ...at(100 - index) }),
    )
    answer({ isWhole: true, conversations: first })
    await clock.advance(3000)
    expect(ids()).toEqual(first.map(({ id }) => id))
    expect(paths()).toEqual([changes])
    expect(entryOf(store.getState())?.next).toBe(`${Date.parse(at(51).activeAt)}_p49`)
    store.dispatch(changeList(conversationOpened(conversationWith({ id: 'later', ...at(1) }))))
    answer({ isWhole: true, conversations: first.with(0, conversationWith({ id: 'new', ...at(200) })) })
    await clock.advance(3000)
    expect(ids()).toEqual(['new', ...first.slice(1).map(({ id }) => id), 'later'])
    expect(paths()).toEqual([changes, changes, user])
    store.dispatch(api.util.resetApiState())
  })

  it('a change during a poll stays', async () => {
    let reply: () => void = () => undefined
    server.answers[changes] = () =>
      new Promise((resolve) => {
        reply = () =>
          resolve(answerWith({ conversations: [conversationWith({ lastSeq: 6, unreadCount: 1 })] }))
      })
    await clock.advance(3000)
    store.dispatch(changeList(messagesRead({ conversationId: 'c', readerId: 'me', seq: 6 }, 'me')))
    reply()
    await clock.advance(0)
    expect(row()).toMatchObject({ lastSeq: 6, unreadCount: 0 })
  })

  it('without an answer, the list is fetched, whose error shows that there is no connection', async () => {
    server.answers[changes] = () => 'no connection'
    server.answers[list] = () => 'no connection'
    await clock.advance(3000)
    expect(paths()).toEqual([changes, list])
    const { listConversations } = messagingApi.endpoints
    expect(listConversations.select()(store.getState()).error).toMatchObject({ status: 0 })
    answer()
    await clock.advance(3000)
    expect(paths()).toEqual([changes, list, changes])
    expect(listConversations.select()(store.getState()).error).toBeUndefined()
  })
})

describe('when the connection is back', () => {
  it('the changes are fetched once, and again until there is an answer', async () => {
    const answers: Answer[] = [refusal(503, 'unavailable'), refusal(429, 'too_many_requests'), answerWith()]
    server.answers[changes] = () => answers.shift() ?? answerWith()
    messaging.connection.set({ connected: true })
    refresher.changes()
    await clock.advance(6000)
    expect(paths()).toEqual([changes, changes, changes])
    await clock.advance(60_000)
    expect(server.asked).toHaveLength(3)
  })

  it('the open conversation fetches its new and its changed messages by itself, once', async () => {
    await openChat()
    answer({ conversations: [conversationWith({ lastSeq: 6 })] })
    messaging.connection.set({ connected: true })
    refresher.changes()
    await clock.advance(0)
    expect(paths().sort()).toEqual([changes, messages, messages])
  })

  it('a poll while it is degraded brings what was missed', async () => {
    messaging.connection.set({ connected: true, degraded: true })
    answer({ conversations: [conversationWith({ lastSeq: 8 })] })
    await clock.advance(3000)
    expect(row()?.lastSeq).toBe(8)
  })
})

it('a list that was never loaded is fetched', async () => {
  server.restore()
  server = fakeApi({
    [list]: () => ({ status: 200, body: [conversationWith()] }),
    [changes]: () => answerWith(),
  })
  await clock.advance(3000)
  expect(paths()).toEqual([changes, list])
  expect(ids()).toEqual(['c'])
})
