import { syncApi, tabId } from './sync-api.ts'

const real = globalThis.fetch
afterEach(() => {
  globalThis.fetch = real
})

it('names the conversation and the tab of a message in headers', async () => {
  const sent: unknown[] = []
  globalThis.fetch = (url, init) => {
    if ((url as string).endsWith('/api/messages')) sent.push(Object.fromEntries(new Headers(init?.headers)))
    return Promise.resolve(new Response('{}', { headers: { 'content-type': 'application/json' } }))
  }
  const message = { messageType: 'text' as const, content: 'Hello', conversationId: 'theirs' }
  await syncApi.sendMessage({ ...message, clientMessageId: 'one' }, new AbortController().signal)
  expect(sent).toMatchObject([{ 'x-conversation-id': 'theirs', 'x-tab-id': tabId }])
})
