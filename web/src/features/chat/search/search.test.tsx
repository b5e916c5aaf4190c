import type { Message } from '@sumlock/contracts/messaging-routes'
import userEvent from '@testing-library/user-event'
import { ChatAndList } from '../../../../test/chat-and-list.tsx'
import { conversationWith } from '../../../../test/conversation-with.ts'
import { fakeApi, unlockedUser } from '../../../../test/fake-api.ts'
import type { Answer } from '../../../../test/fake-api.ts'
import { fakeMessaging, messageAt } from '../../../../test/fake-messaging.tsx'
import { store } from '../../../../test/page.ts'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '../../../../test/render.tsx'
import { api } from '../../../api/base-api.ts'
import { coveredClass } from '../../device/is-covered.ts'

const pageSize = 50
let server: ReturnType<typeof fakeApi>
let messaging: Awaited<ReturnType<typeof fakeMessaging>>
/** The server has these messages, oldest first. */
let stored: Message[]
/** The server answers a request for an older page with this. */
let answerOlder: (page: Message[]) => Answer

beforeEach(() => {
  answerOlder = (page) => ({ status: 200, body: page })
})
afterEach(() => {
  cleanup()
  act(() => server.restore())
  messaging.close()
  act(() => void store.dispatch(api.util.resetApiState()))
})

const pageBefore = (seq: number) => stored.filter((message) => message.seq < seq).slice(-pageSize)

/** Opens a chat that has these messages; the newest page comes with this answer. */
async function open(messages: Message[], newest?: () => Answer) {
  stored = messages
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: unlockedUser }),
    'GET /api/conversations': () => ({
      status: 200,
      body: [conversationWith({ lastSeq: messages.length, lastMessage: null })],
    }),
  })
  server.answers['GET /api/conversations/c/messages?limit=50'] =
    newest ?? (() => ({ status: 200, body: pageBefore(Infinity) }))
  for (const { seq } of messages)
    server.answers[`GET /api/conversations/c/messages?before=${seq}&limit=50`] = () =>
      answerOlder(pageBefore(seq))
  messaging = await fakeMessaging()
  render(
    <messaging.Wrapper>
      <ChatAndList address="/conversation/c" />
    </messaging.Wrapper>,
  )
  await (newest ? screen.findByRole('log') : screen.findAllByRole('article'))
}
const read = (seq: number, change: Partial<Message> = {}) => messageAt(seq, { isRead: true, ...change })
const texts = (...contents: string[]) => contents.map((content, index) => read(index + 1, { content }))
/** Returns so many messages, of which the one with this seq contains the word "needle". */
const many = (count: number, ...needles: number[]) =>
  Array.from({ length: count }, (_, index) =>
    read(index + 1, needles.includes(index + 1) ? { content: `needle ${index + 1}` } : {}),
  )
const bar = () => screen.findByRole('search', { name: 'Search in ben' })
const field = () => screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search in this chat' })
const status = async () => within(await bar()).getByRole('status').textContent
const press = async (name: string) => userEvent.click(within(await bar()).getByRole('button', { name }))
const openSearch = () => userEvent.keyboard('{Control>}f{/Control}')
const searchFor = async (query: string) => {
  await openSearch()
  await userEvent.type(await field(), query)
}
/** Returns the marked texts, with a star where the search has led to. */
const marks = () =>
  screen
    .getAllByRole('article')
    .flatMap((bubble) => [...bubble.querySelectorAll('mark')])
    .map((mark) => `${mark.className.includes('bg-accent ') ? '*' : ''}${mark.textContent}`)
const olderPages = () => server.asked.filter((call) => call.includes('before='))
const expectStatus = (wanted: string) => waitFor(async () => expect(await status()).toBe(wanted))

it('the options lead to a search, whose keys and arrows lead from match to match', async () => {
  await open(texts('One tea', 'none', 'TÉA for two', 'another tea'))
  await userEvent.click(screen.getByRole('button', { name: 'Conversation options' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Search' }))
  await waitFor(async () => expect(document.activeElement).toBe(await field()))
  await userEvent.keyboard('tea')
  await expectStatus('1 of 3')
  expect(marks()).toEqual(['tea', 'TÉA', '*tea'])
  await userEvent.keyboard('{Enter}')
  await expectStatus('2 of 3')
  expect(marks()).toEqual(['tea', '*TÉA', 'tea'])
  await press('Older match')
  await expectStatus('3 of 3 · No older match')
  const older = within(await bar()).getByRole('button', { name: 'Older match' })
  expect(older.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(await field())
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}')
  await expectStatus('2 of 3')
  expect(document.activeElement).toBe(await field())
})

it('a letter that follows before the search has led anywhere still leads to the match', async () => {
  await open(texts('tea', 'tee'))
  await openSearch()
  const input = await field()
  // Without a pause: the second change comes before the page is rendered again.
  act(() => {
    for (const value of ['t', 'te', 'tea']) fireEvent.change(input, { target: { value } })
  })
  await expectStatus('1 of 1 · No older match')
})

it('Escape closes the search at the match, and the draft is as it was', async () => {
  await open(texts('One tea', 'none'))
  await userEvent.type(await screen.findByLabelText('Message'), 'a draft')
  await searchFor('tea')
  await expectStatus('1 of 1 · No older match')
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('search')).toBeNull()
  expect(screen.getByRole('heading', { name: 'ben' })).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByText('One tea').closest('article')))
  expect(document.querySelector('mark')).toBeNull()
  expect(screen.getByLabelText<HTMLTextAreaElement>('Message').value).toBe('a draft')
  expect(messaging.drafts.get('c')).toBe('a draft')
})

it('older pages are loaded until one has a match, and no further', async () => {
  await open(many(170, 40))
  await searchFor('needle')
  await expectStatus('1 of 1')
  expect(olderPages()).toEqual(
    [121, 71].map((seq) => `GET /api/conversations/c/messages?before=${seq}&limit=50`),
  )
})

it('a search that can be stopped says how far it went, goes on later, and says when nothing is left', async () => {
  await open(many(120))
  let release: () => void = () => undefined
  answerOlder = (page) => new Promise((resolve) => (release = () => resolve({ status: 200, body: page })))
  await searchFor('needle')
  await expectStatus('Searched back to 23 Nov…')
  await press('Stop')
  act(release)
  await waitFor(() => expect(messaging.views.get('c')?.getState().messages[0]?.seq).toBe(21))
  await expectStatus('No match back to 23 Nov')
  expect(olderPages()).toHaveLength(1)
  answerOlder = (page) => ({ status: 200, body: page })
  await press('Older match')
  await expectStatus('No match in this chat')
})

it('a search that begins before the messages are there finds nothing until they come', async () => {
  let release: () => void = () => undefined
  await open(
    texts('One tea'),
    () => new Promise((resolve) => (release = () => resolve({ status: 200, body: stored }))),
  )
  await searchFor('tea')
  await expectStatus('Searching…')
  act(release)
  await expectStatus('1 of 1 · No older match')
})

it('a search says that the messages could not be loaded', async () => {
  await open(texts('One tea'), () => 'no connection')
  await searchFor('tea')
  await expectStatus('The messages could not be loaded. We keep trying while this page is open.')
})

it('a page that does not come is said, and another try goes on', async () => {
  await open(many(60, 3))
  answerOlder = () => 'no connection'
  await searchFor('needle')
  await expectStatus('Older messages could not be loaded. Check your connection.')
  expect(olderPages()).toHaveLength(1)
  answerOlder = (page) => ({ status: 200, body: page })
  await press('Retry')
  await expectStatus('1 of 1 · No older match')
})

it('a new match moves the place by one, and a deleted one leaves the search between its neighbours', async () => {
  await open(texts('tea 1', 'tea 2', 'tea 3'))
  await searchFor('tea')
  await userEvent.keyboard('{Enter}')
  await expectStatus('2 of 3')
  act(() => messaging.connection.emit({ type: 'new_message', data: read(4, { content: 'more tea' }) }))
  await expectStatus('3 of 4')
  const unsent = read(2, { content: '', isUnsent: true, version: 1 })
  act(() => messaging.connection.emit({ type: 'new_message', data: unsent }))
  await expectStatus('3 found')
  await press('Newer match')
  await expectStatus('2 of 3')
  expect(marks()).toEqual(['tea', '*tea', 'tea'])
})

it('the cover ends the search', async () => {
  await open(texts('One tea'))
  await searchFor('tea')
  act(() => document.documentElement.classList.add(coveredClass))
  await waitFor(() => expect(screen.queryByRole('search')).toBeNull())
  act(() => document.documentElement.classList.remove(coveredClass))
  expect(document.querySelector('mark')).toBeNull()
})

it('the key does not open the search beneath a dialog or the cover', async () => {
  await open(texts('One tea'))
  await userEvent.click(screen.getByRole('button', { name: 'Conversation options' }))
  await screen.findByRole('button', { name: 'Search' })
  await openSearch()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  document.documentElement.classList.add(coveredClass)
  await openSearch()
  document.documentElement.classList.remove(coveredClass)
  expect(screen.queryByRole('search')).toBeNull()
  await openSearch()
  expect(await bar()).toBeTruthy()
})

it('the text of a link and of a long message is marked, and the long one is shown as a whole', async () => {
  const long = `${'line\n'.repeat(40)}tea`
  await open(texts('see https://tea.example/tea', long))
  expect(await screen.findByRole('button', { name: 'Show more' })).toBeTruthy()
  await searchFor('tea')
  await expectStatus('1 of 2')
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  expect(marks()).toEqual(['tea', 'tea', '*tea'])
})

it('the query is in no storage, address, history or request', async () => {
  await open(many(60))
  const { href } = location
  const { length } = history
  await searchFor('zyxwv')
  await expectStatus('No match in this chat')
  expect(location.href).toBe(href)
  expect(history.length).toBe(length)
  expect(JSON.stringify(history.state)).not.toContain('zyxwv')
  for (const storage of [localStorage, sessionStorage])
    expect(JSON.stringify(Object.entries(storage))).not.toContain('zyxwv')
  expect(server.asked.join()).not.toContain('zyxwv')
  expect(JSON.stringify(store.getState())).not.toContain('zyxwv')
  const input = await field()
  expect(input.autocomplete).toBe('off')
  expect(input.getAttribute('spellcheck')).toBe('false')
  expect(input.enterKeyHint ?? input.getAttribute('enterkeyhint')).toBe('search')
  expect(input.name).toBe('')
})
