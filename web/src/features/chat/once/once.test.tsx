import type { Message } from '@sumlock/contracts/messaging-routes'
import type { Draft } from '@sumlock/sync/ports'
import userEvent from '@testing-library/user-event'
import { act, fireEvent, render, screen, waitFor, within } from '../../../../test/render.tsx'
import { ChatAndList } from '../../../../test/chat-and-list.tsx'
import { conversationWith } from '../../../../test/conversation-with.ts'
import { fakeApi, refusal } from '../../../../test/fake-api.ts'
import type { Answer } from '../../../../test/fake-api.ts'
import { fakeMessaging } from '../../../../test/fake-messaging.tsx'
import { createTestMedia, store, testPage } from '../../../../test/page.ts'
import { png } from '../../../../test/picture-fixtures.ts'
import { readBlobs } from '../../../../test/read-blobs.ts'
import {
  browserOf,
  fakeKeyServer,
  newOwnKey,
  outgoing,
  publicKeyOf,
  storedOf,
} from '../../../../test/sealed-people.ts'
import { api } from '../../../api/base-api.ts'
import { listOf, messagesOf } from '../../conversations/messaging-api.ts'
import { coveredClass } from '../../device/is-covered.ts'
import { sealMedia } from '../../media/seal-media.ts'

const mediaUrl = '/api/objects/pQ7rT2vX9zB4dF6hJ8kM1nP3'
let server: ReturnType<typeof fakeApi>
let messaging: Awaited<ReturnType<typeof fakeMessaging>>
let people: Awaited<ReturnType<typeof meet>>
let file: Uint8Array<ArrayBuffer>
let fileStatus: number
let answer: () => Answer
/** The object URLs that were not revoked. */
let urls: Set<string>
const acts: Record<string, unknown>[] = []

async function meet() {
  const [myKey, benKey] = [await newOwnKey('me'), await newOwnKey('ben')]
  const keys = fakeKeyServer()
  const me = browserOf('me', [myKey], keys, { page: testPage })
  const ben = browserOf('ben', [benKey], keys)
  await ben.meet({ id: 'me', keys: [publicKeyOf(myKey)] })
  return { me, ben, benKeys: [publicKeyOf(benKey)] }
}

/** A picture of Ben's that opens once. */
async function fromBen(change: Partial<Message> = {}): Promise<Message> {
  const sealed = await sealMedia({
    ...{ messageType: 'image', file: new Blob([png(4, 3)]), thumb: null, info: { w: 4, h: 3 } },
  })
  file = new Uint8Array(await sealed.file.arrayBuffer())
  const draft: Draft = { messageType: 'image', mediaUrl, media: sealed.media, isOnce: true }
  const sent = await people.ben.text.prepare({ ...draft, conversationId: 'c', clientMessageId: 'b1' })
  return storedOf(1, 'ben', sent, { messageType: 'image', mediaUrl, isOnce: true, ...change })
}
const emptied = (change: Partial<Message>) =>
  storedOf(1, 'me', outgoing('', 'k1'), { messageType: 'image', isOnce: true, ...change })

async function openChat(stored: readonly Message[], address = '/conversation/c') {
  const otherUser = { id: 'ben', username: 'ben', userCode: 'ABCD-EFGH-J', keys: people.benKeys }
  const row = conversationWith({ otherUser, lastMessage: stored.at(-1) ?? null, lastSeq: stored.length })
  acts.splice(0)
  server = fakeApi({
    'GET /api/conversations': () => ({ status: 200, body: [row] }),
    'GET /api/conversations/c/messages': () => ({ status: 200, body: stored }),
    'POST /api/conversations/c/acts': (body) => {
      acts.push(body as Record<string, unknown>)
      return new Promise<never>(() => undefined)
    },
    'POST /api/messages/m1/open': () => answer(),
    'DELETE /api/messages/m1/open': () => ({ status: 200, body: { ok: true } }),
  })
  const call = globalThis.fetch
  globalThis.fetch = (url, init) => {
    if (url !== mediaUrl) return call(url, init)
    server.asked.push(`GET ${mediaUrl}`)
    const headers = { 'content-range': `bytes 0-${file.length - 1}/${file.length}` }
    return Promise.resolve(new Response(file, { status: fileStatus, headers }))
  }
  messaging = await fakeMessaging(undefined, people.me.text)
  Object.assign(messaging.session, { media: createTestMedia() })
  render(<ChatAndList address={address} />, { wrapper: messaging.Wrapper })
}

beforeAll(() => {
  readBlobs()
  Object.defineProperty(document.documentElement, 'clientWidth', { value: 400 })
  for (const name of ['naturalWidth', 'naturalHeight'])
    Object.defineProperty(HTMLImageElement.prototype, name, { configurable: true, get: () => 4 })
  HTMLImageElement.prototype.decode = () => Promise.resolve()
})
beforeEach(async () => {
  people = await meet()
  fileStatus = 206
  urls = new Set()
  let count = 0
  URL.createObjectURL = () => {
    count += 1
    urls.add(`blob:${count}`)
    return `blob:${count}`
  }
  URL.revokeObjectURL = (url) => void urls.delete(url)
  const vanishAt = new Date(Date.now() + 600_000).toISOString()
  answer = () => ({ status: 200, body: { id: 'm1', isOnce: true, isOpened: true, version: 1, vanishAt } })
})
afterEach(() => {
  document.documentElement.classList.remove(coveredClass)
  act(() => messaging.session.media.close())
  act(() => server.restore())
  messaging.close()
  act(() => void store.dispatch(api.util.resetApiState()))
})

const button = () => screen.findByRole('button', { name: /Photo · view once/ })
const viewer = () => screen.queryByRole('dialog', { name: 'Photo' })
const calls = () => server.asked.filter((call) => call.includes('/open')).map((call) => call.split(' ')[0])
const openIt = async () => {
  await userEvent.click(await button())
  await screen.findByRole('img')
  await waitFor(() => expect(screen.queryByText('Loading photo...')).toBeNull())
}
/** Everything that the page has of the message, except its name. */
const heldOf = (message: Message) => {
  const { media } = messaging.session
  const rows = [messagesOf(store.getState(), 'c')?.messages, listOf(store.getState())]
  const maps = [[...media.own], media.late.once?.get('m1') ?? null, media.viewed.get()]
  const text = JSON.stringify([rows, maps])
  return [message.content, mediaUrl].filter((mark) => text.includes(mark))
}

it('a received picture is fetched and shown only after its opening, and nothing of it is left after the viewer', async () => {
  const message = await fromBen()
  await openChat([message])
  await button()
  expect(heldOf(message)).not.toEqual([])
  expect(server.asked).not.toContain(`GET ${mediaUrl}`)
  await openIt()
  expect(server.asked.indexOf('POST /api/messages/m1/open')).toBeLessThan(
    server.asked.indexOf(`GET ${mediaUrl}`),
  )
  const shown = within(viewer() as HTMLElement)
  const note = shown.getByText('Gone when you close it')
  expect(viewer()?.getAttribute('aria-describedby')).toBe(note.id)
  for (const name of ['Save photo', 'Next photo']) expect(shown.queryByRole('button', { name })).toBeNull()
  expect(fireEvent.contextMenu(shown.getByRole('img'))).toBe(false)
  expect(urls.size).toBe(1)

  await userEvent.click(shown.getByRole('button', { name: 'Close' }))
  expect(viewer()).toBeNull()
  expect(await screen.findByText('Opened')).toBeTruthy()
  await waitFor(() => expect(calls()).toEqual(['POST', 'DELETE']))
  expect(urls.size).toBe(0)
  expect(heldOf(message)).toEqual([])
  expect(document.activeElement).toBe(document.querySelector('article'))
})

it.each<[string, () => unknown]>([
  ['Escape', () => fireEvent(viewer() as HTMLElement, new Event('cancel', { cancelable: true }))],
  ['the cover', () => document.documentElement.classList.add(coveredClass)],
  ['leaving the page', () => window.dispatchEvent(new Event('pagehide'))],
  ['the lock', () => messaging.session.media.close()],
])('%s ends it', async (_way, leave) => {
  const message = await fromBen()
  await openChat([message])
  await openIt()
  await act(async () => {
    leave()
    await Promise.resolve()
  })
  await waitFor(() => expect(viewer()).toBeNull())
  await waitFor(() => expect(calls()).toEqual(['POST', 'DELETE']))
  expect(urls.size).toBe(0)
  expect(heldOf(message)).toEqual([])
})

it('a failed download can be tried again in the viewer, and after it was closed', async () => {
  await openChat([await fromBen()])
  fileStatus = 503
  await userEvent.click(await button())
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  await screen.findByText('This photo could not be loaded')
  await userEvent.click(within(viewer() as HTMLElement).getByRole('button', { name: 'Close' }))
  expect(await screen.findByText('It was not loaded yet.')).toBeTruthy()
  expect(calls()).toEqual(['POST'])
  fileStatus = 206
  await openIt()
  await userEvent.click(within(viewer() as HTMLElement).getByRole('button', { name: 'Close' }))
  expect(await screen.findByText('Opened')).toBeTruthy()
  await waitFor(() => expect(calls()).toEqual(['POST', 'DELETE']))
})

it.each<[string, () => Answer, string, boolean]>([
  [
    'opened on another device',
    () => refusal(409, 'already_opened'),
    'Opened on another device or in another tab',
    false,
  ],
  ['offline', () => 'no connection', 'No connection. Nothing is lost: open it when you are back.', true],
  ['refused', () => refusal(503, 'unavailable', 'Try again in a moment.'), 'Try again in a moment.', true],
])('a message that does not open says why: %s', async (_name, refused, sentence, canRetry) => {
  const message = await fromBen()
  await openChat([message])
  answer = refused
  await userEvent.click(await button())
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(viewer()).toBeNull()
  expect(screen.queryByRole('button', { name: /view once/ }) !== null).toBe(canRetry)
  expect(server.asked).not.toContain(`GET ${mediaUrl}`)
  if (!canRetry) expect(heldOf(message)).toEqual([])
})

it.each([
  ['drops', { isOnce: undefined }],
  ['changes', { mediaUrl: '/api/objects/y' }],
])('a server that %s what was sealed shows that, and no picture', async (_name, change) => {
  await openChat([Object.assign({}, await fromBen(), change)])
  expect(await screen.findByText('This message was changed on its way and cannot be read')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /view once|Open photo/ })).toBeNull()
})

it('an opened message says so to both, and an own one what it is', async () => {
  const [own, opened, received] = [
    emptied({}),
    emptied({ id: 'm2', seq: 2, clientMessageId: 'k2', isOpened: true }),
    emptied({ id: 'm3', seq: 3, clientMessageId: 'b3', senderId: 'ben', isOpened: true }),
  ]
  await openChat([own, opened, received])
  expect(await screen.findByText('Photo · view once')).toBeTruthy()
  expect(screen.getAllByText('Opened')).toHaveLength(2)
  expect(screen.queryByText('Deleted message')).toBeNull()
  expect(screen.queryByRole('button', { name: /view once/ })).toBeNull()
})

it('the menu of an own one offers only to take it back, and there is none for a received one', async () => {
  const received = await fromBen()
  await openChat([received, emptied({ id: 'm2', seq: 2, clientMessageId: 'k2' })])
  await button()
  const [theirs, own] = [...document.querySelectorAll('article')] as [HTMLElement, HTMLElement]
  fireEvent.contextMenu(own)
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
    'Delete for both',
  ])
  await userEvent.click(screen.getByRole('menuitem'))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete for both' }))
  await waitFor(() => expect(acts).toMatchObject([{ act: 'unsend', target: { by: 'me', id: 'k2' } }]))
  expect(await screen.findByText('Deleted message')).toBeTruthy()
  fireEvent.contextMenu(theirs)
  expect(screen.queryByRole('menu')).toBeNull()
  fireEvent.keyDown(theirs, { key: 'r' })
  expect(screen.queryByText('Reply to ben')).toBeNull()
})

it('a quotation of one says that it cannot be quoted', async () => {
  const re = { by: 'ben', id: 'b1', seq: 1 }
  const answered = await people.ben.text.prepare({ ...outgoing('look', 'b2'), re })
  await openChat([await fromBen(), storedOf(2, 'ben', answered)])
  expect(await screen.findByText('A view once message cannot be quoted')).toBeTruthy()
})

it('a viewer closes when its message is taken back', async () => {
  const message = await fromBen()
  await openChat([message])
  await openIt()
  const unsent = storedOf(1, 'ben', outgoing('', 'b1'), { isUnsent: true, version: 2 })
  act(() => messaging.session.views.get('c')?.take(unsent))
  await waitFor(() => expect(viewer()).toBeNull())
  expect(await screen.findByText('Deleted message')).toBeTruthy()
})

it('a waiting message shows nothing of its file', async () => {
  const answered = Promise.withResolvers<{ status: number; body: Message }>()
  await openChat([])
  server.answers['POST /api/messages'] = () => answered.promise
  const media = { key: 'k'.repeat(43), size: 3, thumb: 0, w: 1, h: 1 }
  const id = messaging.outbox.add('c', { messageType: 'image', mediaUrl, media, isOnce: true })
  expect(await screen.findByText('Photo · view once')).toBeTruthy()
  expect(server.asked).not.toContain(`GET ${mediaUrl}`)
  act(() => answered.resolve({ status: 201, body: emptied({ clientMessageId: id }) }))
  await waitFor(() => expect(messaging.outbox.items).toEqual([]))
  expect(screen.getByText('Photo · view once')).toBeTruthy()
})

it.each([
  ['Photo · view once', {}],
  ['Opened', { isOpened: true as const }],
])('the list says "%s"', async (text, change) => {
  await openChat([emptied({ senderId: 'ben', ...change })], '/messaging')
  expect(await screen.findByText(text)).toBeTruthy()
})
