import { syncApi } from './sync-api.ts'

const real = globalThis.fetch
afterEach(() => {
  globalThis.fetch = real
})

it('names the conversation of a message in a header, by which the gateway prefers a replica', async () => {
  const sent: (string | null)[] = []
  globalThis.fetch = (url, init) => {
    if ((url as string).endsWith('/api/messages'))
      sent.push(new Headers(init?.headers).get('x-conversation-id'))
    return Promise.resolve(new Response('{}', { headers: { 'content-type': 'application/json' } }))
  }
  const message = { messageType: 'text' as const, content: 'Hello', conversationId: 'theirs' }
  await syncApi.sendMessage({ ...message, clientMessageId: 'one' }, new AbortController().signal)
  expect(sent).toEqual(['theirs'])
})
