import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ServerEvent } from '@sumlock/contracts/socket'
import type { ClientSocket, OpenSocket } from '@sumlock/sync/live-connection'
import { waitFor } from '@testing-library/react'
import { conversationWith } from '../../../test/conversation-with.ts'
import { fakeApi } from '../../../test/fake-api.ts'
import { pathsTo } from '../../../test/held-values.ts'
import { openPage } from '../../../test/page.ts'
import {
  browserOf,
  fakeKeyServer,
  newOwnKey,
  outgoing,
  publicKeyOf,
  storedOf,
} from '../../../test/sealed-people.ts'
import { lookOf } from '../sealed/look.ts'
import { createListChanges } from './list-changes.ts'
import { messagesOf, messagingApi } from './messaging-api.ts'
import { openSession, openTexts } from './open-session.ts'

/** A socket whose events the test sends. */
function fakeSocket() {
  const listeners = new Map<string, (event: never) => void>()
  const socket: ClientSocket = {
    on: (name: string, listener: (event: never) => void) => listeners.set(name, listener),
    connect: () => undefined,
    disconnect: () => undefined,
  }
  const io: OpenSocket = () => socket
  const emit = (data: Message) =>
    (listeners.get('event') as (event: ServerEvent) => void)({ type: 'new_message', data })
  return { io, emit }
}

const noRecord = () => ({ status: 200, body: { version: 0, box: null } })

/**
 * Opens the session of the person `me` in the chat `c` with Ben, who has reset the app. The list contains only his
 * newer key.
 */
async function openChat() {
  const [myKey, formerKey, benKey] = [
    await newOwnKey('me'),
    await newOwnKey('ben'),
    await newOwnKey('ben', 2),
  ]
  const ben = browserOf('ben', [benKey], fakeKeyServer())
  const former = browserOf('ben', [formerKey], fakeKeyServer())
  for (const { meet } of [ben, former]) await meet({ id: 'me', keys: [publicKeyOf(myKey)] })
  const sealedBy = async ({ text }: typeof ben, seq: number, content: string) =>
    storedOf(seq, 'ben', await text.prepare(outgoing(content, `k${seq}`)))

  const otherUser = { id: 'ben', username: 'ben', userCode: 'ABCD-EFGH-J', keys: [publicKeyOf(benKey)] }
  const history = [await sealedBy(ben, 1, 'read in history')]
  const posted: { content: string; clientMessageId: string; sealed: Message['sealed'] }[] = []
  const answers: Parameters<typeof fakeApi>[0] = {
    'GET /api/conversations': () => ({
      status: 200,
      body: [conversationWith({ otherUser, lastMessage: null, lastSeq: 1 })],
    }),
    'GET /api/conversations/c/messages?limit=50': () => ({ status: 200, body: history }),
    'GET /api/conversations/c/keys': () => ({ status: 200, body: { keys: [] } }),
    'POST /api/conversations/c/read': () => ({ status: 200, body: {} }),
    'POST /api/messages': (body) => {
      posted.push(body as (typeof posted)[number])
      return 'no connection'
    },
  }
  const server = fakeApi(
    new Proxy(answers, {
      get: (known, call) =>
        known[String(call)] ?? (String(call).includes('/api/known-keys/') ? noRecord : undefined),
    }),
  )
  const page = openPage()
  const keys = Promise.resolve({ keys: [myKey], lostEpochs: [] })
  const start = { userId: 'me', outboxKey: Promise.resolve(btoa('o'.repeat(32))), keys }
  const list = createListChanges()
  const { io, emit } = fakeSocket()
  const session = openSession(page, { ...(await openTexts(page, start)), userId: 'me', list, io })
  page.session = session
  page.opening = { userId: 'me', list, texts: new Promise(() => undefined) }
  const { dispatch, getState } = page.store
  await dispatch(messagingApi.endpoints.listConversations.initiate())
  await dispatch(messagingApi.endpoints.getMessages.initiate('c'))
  const texts = () =>
    messagesOf(getState(), 'c')?.messages.map((message) => {
      const look = lookOf(message)
      return look.state === 'open' ? look.body.t : look.state === 'closed' ? look.why : message.content
    })
  await waitFor(() => expect(texts()).toEqual(['read in history']))
  return { page, session, server, posted, emit, texts, ben, former, formerKey, sealedBy }
}
type Chat = Awaited<ReturnType<typeof openChat>>

/** Whether an object leads into the store itself, or out of the page. */
const isOutside = ({ page: { store } }: Chat) => {
  const doors = new Set<unknown>([store, store.dispatch, store.getState, store.subscribe])
  const ofStore = ['dispatch', 'getState', 'getCacheEntry', 'updateCachedData', 'entry']
  return (value: object, name: string) =>
    doors.has(value) || ofStore.includes(name) || value === globalThis || value instanceof Node
}
/** Finds the places in the page and its session, outside of the store, that hold such a value. */
const heldBy = (chat: Chat, isSought: (value: unknown) => boolean) => {
  const { found, visited } = pathsTo(isSought, { page: chat.page, session: chat.session }, isOutside(chat))
  // A walk that visits almost nothing would find nothing.
  expect(visited).toBeGreaterThan(300)
  return found
}

it('a message stands once, in the store, however it came: on the socket, in history, after a lost answer, before its key', async () => {
  const chat = await openChat()
  const { server, session, posted, emit, texts, ben, former, formerKey, sealedBy } = chat
  emit(await sealedBy(ben, 2, 'came on the socket'))
  session.outbox.add('c', { messageType: 'text', content: 'its answer was lost' })
  await waitFor(() => expect(posted).toHaveLength(1))
  const { content, clientMessageId, sealed } = posted[0]!
  emit(storedOf(3, 'me', outgoing(content, clientMessageId), sealed ? { sealed } : {}))
  emit(await sealedBy(former, 4, 'came before its key'))
  await waitFor(() => expect(texts()?.at(-1)).toBe('waiting'))
  server.answers['GET /api/conversations/c/keys'] = () => ({
    status: 200,
    body: { keys: [publicKeyOf(formerKey)] },
  })
  await session.text.refreshKeys('c')
  const all = ['read in history', 'came on the socket', 'its answer was lost', 'came before its key']
  await waitFor(() => expect(texts()).toEqual(all))
  await waitFor(() => expect(session.outbox.items).toEqual([]))
  for (const text of all)
    expect(heldBy(chat, (value) => typeof value === 'string' && value.includes(text))).toEqual([])
  session.close()
  server.restore()
})

it('a session that was closed holds no text, key or file, and the store holds none of its conversations', async () => {
  const chat = await openChat()
  const { page, session, server, posted } = chat
  session.drafts.set('c', 'a draft')
  session.outbox.add('c', { messageType: 'text', content: 'a message that waits' })
  await waitFor(() => expect(posted).toHaveLength(1))
  const file = new File(['a file'], 'picture.png')
  session.media.outgoing.set(file, { chosen: file } as never)
  const upload = { id: 'u', conversationId: 'c', messageType: 'image', previewUrl: null } as const
  const state = { caption: '', delay: null, question: null, isLost: false, failure: null, progress: 0 }
  const actions = { retry: () => file, cancel: () => file }
  session.media.uploads.add({ ...upload, ...state, ...actions, width: 1, height: 1 })
  const isSecret = (value: unknown) =>
    ['[object CryptoKey]', '[object Blob]', '[object File]'].includes(
      Object.prototype.toString.call(value),
    ) ||
    (typeof value === 'string' && /a draft|a message that waits|read in history|b29vb29v/.test(value))
  const before = heldBy(chat, isSecret).join()
  for (const part of ['drafts', 'items', 'text', 'media', 'outboxKey']) expect(before).toContain(part)
  session.close()
  page.session = null
  page.opening = null
  expect(heldBy(chat, isSecret)).toEqual([])
  expect(JSON.stringify(page.store.getState())).not.toMatch(/read in history|ABCD-EFGH-J/)
  server.restore()
})

it('messages that vanish are looked for whenever the page comes to the front, until the lock', async () => {
  const { session, server } = await openChat()
  let looks = 0
  session.vanishing.add(() => {
    looks += 1
    return Infinity
  })
  const wake = (target: EventTarget, name: string) => {
    const before = looks
    target.dispatchEvent(new Event(name))
    return looks - before
  }
  const wakeAll = () => [wake(document, 'visibilitychange'), wake(window, 'focus'), wake(window, 'pageshow')]
  expect(wakeAll()).toEqual([1, 1, 1])
  session.close()
  expect(wakeAll()).toEqual([0, 0, 0])
  server.restore()
})
