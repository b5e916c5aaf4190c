import { webcrypto } from 'node:crypto'
import { jest } from '@jest/globals'
import type { OutboxItem } from '@sumlock/sync/ports'
import { act, render, screen, waitFor } from '../../../test/render.tsx'
import { useSyncExternalStore } from 'react'
import { Provider } from 'react-redux'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { api } from '../../api/base-api.ts'
import { offerDatabase } from '../../../test/fake-database.ts'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { MessagingProvider } from './MessagingProvider.tsx'
import { useSession } from '../../page.ts'
import { sessionOf } from './session-of.ts'
import { createOutboxStore } from '../delivery/outbox-store.ts'
import { RequireMessaging } from './RequireMessaging.tsx'
import { openUnsentStore } from '../delivery/unsent-store.ts'
import { store, testPage } from '../../../test/page.ts'

const key = btoa('k'.repeat(32))
const unsent: OutboxItem = {
  message: { messageType: 'text', content: 'from before', conversationId: 'c', clientMessageId: 'one' },
  createdAtMs: 0,
  status: 'waiting',
  failure: null,
}

/** The server's answers to the calls of this screen. */
const answers: Record<string, () => Response | Promise<Response>> = {
  '/api/conversations': () => json([]),
}
const asked: { path: string; body: unknown }[] = []
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

const realFetch = globalThis.fetch
beforeAll(() => Object.defineProperty(crypto, 'subtle', { configurable: true, value: webcrypto.subtle }))
let records: Map<string, ArrayBuffer>
beforeEach(() => {
  records = offerDatabase()
  asked.length = 0
  globalThis.fetch = (url, init) => {
    const path = url as string
    asked.push({ path, body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined })
    return Promise.resolve(answers[path]?.() ?? json({ csrfToken: 't' }))
  }
})
afterEach(async () => {
  await act(async () => testPage.session?.flush(0))
  localStorage.clear()
  testPage.unlocked = null
  globalThis.fetch = realFetch
})

function Screen() {
  const { userId, outbox, drafts } = useSession()
  const items = useSyncExternalStore(outbox.subscribe, () => outbox.items)
  return (
    <p>
      {items.length} unsent, user: {userId}, draft: {drafts.get('c')}
    </p>
  )
}

const pageOf = (userId: string) => (
  <Provider store={store}>
    <MemoryRouter>
      <AuthProvider>
        <MessagingProvider userId={userId}>
          <Routes>
            <Route element={<RequireMessaging />}>
              <Route path="/" element={<Screen />} />
            </Route>
          </Routes>
        </MessagingProvider>
      </AuthProvider>
    </MemoryRouter>
  </Provider>
)
const open = (userId: string) => render(pageOf(userId))

it('the messaging provider sends the unsent messages of an earlier page once it has the key, and stores new drafts', async () => {
  await createOutboxStore(await openUnsentStore(key)).save([unsent])
  let giveKey: (answer: Response) => void = () => undefined
  answers['/api/outbox-key'] = () => new Promise((resolve) => (giveKey = resolve))
  answers['/api/messages'] = () => json({ error: 'Busy.', code: 'unavailable' }, 503)
  const { unmount } = open('first')
  await waitFor(() => expect(asked.map(({ path }) => path)).toContain('/api/outbox-key'))
  expect(screen.queryByText(/unsent/)).toBeNull()

  await act(() => Promise.resolve(giveKey(json({ outboxKey: key }))))
  await screen.findByText(/unsent/)
  await waitFor(() =>
    expect(asked).toContainEqual({
      path: '/api/messages',
      body: expect.objectContaining({ clientMessageId: 'one' }),
    }),
  )
  unmount()
  await act(async () => testPage.session?.flush(0))
  const { items } = await (await openUnsentStore(key)).read()
  expect(items).toMatchObject([{ message: { content: 'from before' } }])
})

it('a begun edit of an earlier page goes from the device when its message has vanished, with no chat opened', async () => {
  const soon = Date.now() + 60_000
  const edits = { 'edit c': 'one@1 gone', 'edit d': `two@${soon} not yet`, 'edit e': 'three no end' }
  await (await openUnsentStore(key)).update((text) => ({ ...text, drafts: edits }), 'edits')
  answers['/api/outbox-key'] = () => json({ outboxKey: key })
  const messaging = await sessionOf(testPage, 'tenth')
  await messaging.drafts.settled()
  const { 'edit c': _gone, ...left } = edits
  expect((await (await openUnsentStore(key)).read()).drafts).toEqual(left)
  const now = jest.spyOn(Date, 'now').mockReturnValue(soon)
  messaging.vanishing.look()
  now.mockRestore()
  await messaging.drafts.settled()
  expect((await (await openUnsentStore(key)).read()).drafts).toEqual({ 'edit e': 'three no end' })
  messaging.close()
})

it('a lock does not wait for a storage that hangs', async () => {
  answers['/api/outbox-key'] = () => json({ outboxKey: key })
  let hangs = false
  const request = (_name: string, run: () => Promise<void>) =>
    hangs ? new Promise(() => undefined) : Promise.resolve().then(run)
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } })
  const messaging = await sessionOf(testPage, 'ninth')
  Reflect.deleteProperty(navigator, 'locks')
  expect(records.size).toBe(1)
  hangs = true
  messaging.drafts.set('c', 'half a')
  await act(() => testPage.session?.flush(20))
  messaging.close()
})

it('the messaging provider fetches the list while it waits for the key', async () => {
  let giveKey: (answer: Response) => void = () => undefined
  answers['/api/outbox-key'] = () => new Promise((resolve) => (giveKey = resolve))
  act(() => void store.dispatch(api.util.resetApiState()))
  open('eighth')
  await waitFor(() => expect(asked.map(({ path }) => path)).toContain('/api/conversations'))
  expect(screen.queryByText(/unsent/)).toBeNull()
  await act(() => Promise.resolve(giveKey(json({ outboxKey: key }))))
  await screen.findByText(/unsent/)
})

it('the messaging provider requests the key again while the server is busy', async () => {
  let calls = 0
  answers['/api/outbox-key'] = () =>
    calls++ === 0 ? json({ error: 'Busy.', code: 'unavailable' }, 503) : json({ outboxKey: key })
  open('second')
  await screen.findByText(/unsent/, {}, { timeout: 5000 })
  expect(calls).toBe(2)
})

it('the messaging provider writes nothing to the device when the server refuses the key', async () => {
  answers['/api/outbox-key'] = () => json({ error: 'Please unlock first.', code: 'locked' }, 423)
  open('third')
  await screen.findByText(/unsent/)
  expect(records.size).toBe(0)
})

it('the messaging provider does not show one person the unsent text of another one', async () => {
  await createOutboxStore(await openUnsentStore(key)).save([unsent])
  let outboxKey = key
  answers['/api/outbox-key'] = () => json({ outboxKey })
  answers['/api/messages'] = () => json({ error: 'Busy.', code: 'unavailable' }, 503)
  const { unmount } = open('fourth')
  await screen.findByText(/^1 unsent/)
  unmount()
  outboxKey = btoa('o'.repeat(32))
  testPage.unlocked = null
  open('fifth')
  await screen.findByText(/^0 unsent/)
})

it('the messaging provider ignores the connection of the previous person when it opens late', async () => {
  const giveKeys: ((answer: Response) => void)[] = []
  answers['/api/outbox-key'] = () => new Promise((resolve) => giveKeys.push(resolve))
  const { rerender } = open('sixth')
  await waitFor(() => expect(giveKeys).toHaveLength(1))
  const late = sessionOf(testPage, 'sixth')
  rerender(pageOf('seventh'))
  await waitFor(() => expect(giveKeys).toHaveLength(2))
  await act(() => Promise.resolve(giveKeys[1]?.(json({ outboxKey: key }))))
  await screen.findByText(/user: seventh/)
  await act(async () => {
    giveKeys[0]?.(json({ outboxKey: key }))
    await late
  })
  expect(screen.queryByText(/user: seventh/)).not.toBeNull()
})
