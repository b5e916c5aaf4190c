import type { Message } from '@sumlock/contracts/messaging-routes'
import userEvent from '@testing-library/user-event'
import { ChatAndList } from '../../../test/chat-and-list.tsx'
import { conversationWith } from '../../../test/conversation-with.ts'
import { fakeApi, unlockedUser } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { fakeMessaging, messageAt } from '../../../test/fake-messaging.tsx'
import { media, store } from '../../../test/page.ts'
import { act, cleanup, render, screen, waitFor, within } from '../../../test/render.tsx'
import { api } from '../../api/base-api.ts'

const title = 'Photos, videos and voice'
let server: ReturnType<typeof fakeApi>
let messaging: Awaited<ReturnType<typeof fakeMessaging>>
/** The server answers a request for an older page with this. */
let answerOlder: (page: Message[]) => Answer

beforeEach(() => {
  answerOlder = (page) => ({ status: 200, body: page })
  URL.createObjectURL = () => 'blob:picture'
  URL.revokeObjectURL = () => undefined
  HTMLImageElement.prototype.decode = () => Promise.resolve()
})
afterEach(() => {
  cleanup()
  media.viewed.set(null)
  act(() => server.restore())
  messaging.close()
  act(() => void store.dispatch(api.util.resetApiState()))
})

const picture = (seq: number, change: Partial<Message> = {}) =>
  messageAt(seq, {
    ...{ messageType: 'image', mediaUrl: `/api/objects/${seq}`, isRead: true },
    content: `Picture ${seq}`,
    ...change,
  })
const gone = { messageType: 'text', content: '', mediaUrl: null, version: 1 } as const

/** Opens the overview of a chat that has so many messages, of which those with these seqs are pictures. */
async function open(count: number, ...pictures: number[]) {
  const stored = Array.from({ length: count }, (_, index) =>
    pictures.includes(index + 1) ? picture(index + 1) : messageAt(index + 1, { isRead: true }),
  )
  const pageBefore = (seq: number) => stored.filter((message) => message.seq < seq).slice(-50)
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: unlockedUser }),
    'GET /api/conversations': () => ({
      status: 200,
      body: [conversationWith({ lastSeq: count, lastMessage: null })],
    }),
  })
  const messages = 'GET /api/conversations/c/messages'
  server.answers[`${messages}?limit=50`] = () => ({ status: 200, body: pageBefore(Infinity) })
  for (const { seq } of stored)
    server.answers[`${messages}?before=${seq}&limit=50`] = () => answerOlder(pageBefore(seq))
  messaging = await fakeMessaging()
  render(
    <messaging.Wrapper>
      <ChatAndList address="/conversation/c" />
    </messaging.Wrapper>,
  )
  await screen.findAllByRole('article')
  await userEvent.click(screen.getByRole('button', { name: 'Conversation options' }))
  await userEvent.click(await screen.findByRole('button', { name: title }))
}
const overview = () => screen.findByRole('dialog', { name: title })
const tiles = async () =>
  within(await overview())
    .queryAllByRole('button', { name: /^Open photo/ })
    .map((tile) => tile.getAttribute('aria-label')?.split(': ')[1])
const expectTiles = (...captions: string[]) => waitFor(async () => expect(await tiles()).toEqual(captions))
const status = async () => within(await overview()).findByRole('status')
const press = async (name: string) =>
  userEvent.click(await within(await overview()).findByRole('button', { name }))
const olderPages = () => server.asked.filter((call) => call.includes('before=')).length

it('media of all pages are shown by month, newest first, and one opens in the viewer', async () => {
  await open(120, 2, 70, 119)
  await expectTiles('Picture 119', 'Picture 70', 'Picture 2')
  expect(within(await overview()).getByRole('heading', { name: 'November 2026' })).toBeTruthy()
  expect((await status()).textContent).toBe('Nothing older')
  await press('Open photo, from ben, 23 Nov 2026: Picture 70')
  expect(await screen.findByRole('dialog', { name: 'Picture 70' })).toBeTruthy()
  expect(media.viewed.get()).toBe('m70')
})

it('a chat without media says so', async () => {
  await open(3)
  expect(await within(await overview()).findByText('No media yet')).toBeTruthy()
})

it('the loading can be stopped and go on, and says how far it went', async () => {
  let release: () => void = () => undefined
  answerOlder = (page) => new Promise((resolve) => (release = () => resolve({ status: 200, body: page })))
  await open(170, 170)
  await waitFor(() => expect(olderPages()).toBe(1))
  expect((await status()).textContent).toBe('Looked back to 23 Nov…')
  await press('Stop')
  act(release)
  await waitFor(() => expect(messaging.views.get('c')?.getState().messages[0]?.seq).toBe(71))
  expect((await status()).textContent).toBe('Looked back to 23 Nov')
  expect(olderPages()).toBe(1)
  answerOlder = (page) => ({ status: 200, body: page })
  await press('Load older media')
  await waitFor(async () => expect((await status()).textContent).toBe('Nothing older'))
})

it('a page that does not come is said, and another try goes on', async () => {
  answerOlder = () => 'no connection'
  await open(60, 3)
  await waitFor(async () =>
    expect((await status()).textContent).toBe('Older messages could not be loaded. Check your connection.'),
  )
  expect(olderPages()).toBe(1)
  answerOlder = (page) => ({ status: 200, body: page })
  await press('Retry')
  await expectTiles('Picture 3')
})

it.each([
  ['unsent', { isUnsent: true }],
  ['vanished', { isVanished: true }],
] as const)('a picture that is %s leaves at once, and a new one comes', async (_how, how) => {
  await open(3, 1, 2)
  await expectTiles('Picture 2', 'Picture 1')
  const emit = (data: Message) => act(() => messaging.connection.emit({ type: 'new_message', data }))
  emit(picture(2, { ...gone, ...how }))
  await expectTiles('Picture 1')
  emit(picture(4))
  await expectTiles('Picture 4', 'Picture 1')
})

it('Close leads back to the chat', async () => {
  await open(3, 1)
  await expectTiles('Picture 1')
  await press('Close')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(await screen.findByLabelText('Message')).toBeTruthy()
})
