import { createSyncApi } from './sync-api.ts'
import { client } from '../../../test/page.ts'

const syncApi = createSyncApi(client)

const real = globalThis.fetch
afterEach(() => {
  globalThis.fetch = real
})

const message = { messageType: 'text' as const, content: 'Hello', conversationId: 'theirs' }

it('passes on how long a refused message has to wait', async () => {
  globalThis.fetch = () => {
    const headers = { 'content-type': 'application/json', 'retry-after': '7' }
    return Promise.resolve(new Response('{"code":"too_many_requests"}', { status: 429, headers }))
  }
  const sent = syncApi.sendMessage({ ...message, clientMessageId: 'one' }, new AbortController().signal)
  await expect(sent).rejects.toMatchObject({ status: 429, retryAfterMs: 7000 })
})

it('sends an act without what only the client needs, and no empty caption', async () => {
  let sent: unknown
  globalThis.fetch = (url, init) => {
    if ((url as string) === '/api/conversations/theirs/acts') sent = JSON.parse(init?.body as string)
    return Promise.resolve(new Response('{}', { headers: { 'content-type': 'application/json' } }))
  }
  const target = { by: 'me', id: 'one' }
  const edit = { act: 'edit' as const, target, clientMessageId: 'two', replaces: null }
  const local = { conversationId: 'theirs', content: '', media: { key: 'secret' }, isPlain: true as const }
  await syncApi.sendAct({ ...edit, ...local }, new AbortController().signal)
  expect(sent).toEqual(edit)
})

it('names the conversation of a message in a header', async () => {
  const sent: unknown[] = []
  globalThis.fetch = (url, init) => {
    if ((url as string).endsWith('/api/messages')) sent.push(Object.fromEntries(new Headers(init?.headers)))
    return Promise.resolve(new Response('{}', { headers: { 'content-type': 'application/json' } }))
  }
  await syncApi.sendMessage({ ...message, clientMessageId: 'one' }, new AbortController().signal)
  expect(sent).toMatchObject([{ 'x-conversation-id': 'theirs' }])
})
