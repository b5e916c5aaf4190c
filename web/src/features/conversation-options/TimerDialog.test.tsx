import type { Conversation } from '@sumlock/contracts/messaging-routes'
import userEvent from '@testing-library/user-event'
import { ChatAndList } from '../../../test/chat-and-list.tsx'
import { conversationWith } from '../../../test/conversation-with.ts'
import { fakeApi, refusal } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { fakeMessaging } from '../../../test/fake-messaging.tsx'
import { store } from '../../../test/page.ts'
import { act, cleanup, render, screen, waitFor } from '../../../test/render.tsx'
import { api } from '../../api/base-api.ts'

type Body = Pick<NonNullable<Conversation['timer']>, 'id' | 'vanishMs'> & { replaces: string | null }
let row: Conversation
let server: ReturnType<typeof fakeApi>
let messaging: Awaited<ReturnType<typeof fakeMessaging>>
let sent: Body[]
let answer: (body: Body) => Answer

const at = '2026-11-22T00:00:00.000Z'
const byBen = { id: 'ben 1', by: 'other', vanishMs: 3_600_000, at, afterSeq: 5 } as const
const store200 = ({ id, vanishMs }: Body) => {
  row = { ...row, timer: { id, vanishMs, by: 'me', at, afterSeq: 5 } }
  return { status: 200, body: row }
}

async function open(change: Partial<Conversation> = {}) {
  row = conversationWith(change)
  sent = []
  answer = store200
  server = fakeApi({
    'GET /api/conversations': () => ({ status: 200, body: [row] }),
    'GET /api/conversations/c': () => ({ status: 200, body: row }),
    'GET /api/conversations/c/messages': () => ({ status: 200, body: [] }),
    'PUT /api/conversations/c/timer': (body) => {
      sent.push(body as Body)
      return answer(body as Body)
    },
  })
  messaging = await fakeMessaging()
  render(
    <messaging.Wrapper>
      <ChatAndList address="/conversation/c" />
    </messaging.Wrapper>,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Conversation options' }))
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const choose = (name: string) => userEvent.click(screen.getByRole('radio', { name }))

afterEach(() => {
  cleanup()
  act(() => server.restore())
  messaging.close()
  act(() => void store.dispatch(api.util.resetApiState()))
})

it('sets one of seven times, which options, header and chat then show', async () => {
  await open()
  await press('Vanishing messages Off')
  const names = screen.getAllByRole('radio').map((radio) => radio.parentElement?.textContent)
  expect(names).toEqual(['Off', '30 seconds', '5 minutes', '1 hour', '1 day', '1 week', '4 weeks'])
  expect(screen.getByRole('radio', { name: 'Off' })).toHaveProperty('checked', true)
  expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  for (const sentence of [/when it is read/, /at least 5 minutes/, /A camera or a changed app can keep/])
    expect(screen.getByText(sentence)).toBeTruthy()
  await choose('1 day')
  await press('Save')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toMatchObject([{ vanishMs: 86_400_000, replaces: null }])
  expect((await screen.findByText(/set messages to vanish/)).textContent).toBe(
    'You set messages to vanish after 1 day Change',
  )
  expect(screen.getByText(/New messages vanish after/).parentElement?.textContent).toContain('1 day')
  await press('Conversation options')
  expect(await screen.findByRole('button', { name: 'Vanishing messages 1 day' })).toBeTruthy()
})

it('is turned off with the timer that it replaces', async () => {
  await open({ timer: byBen })
  await press('Vanishing messages 1 hour')
  await choose('Off')
  await press('Save')
  await waitFor(() => expect(sent).toMatchObject([{ vanishMs: null, replaces: 'ben 1' }]))
})

it('says that the other person was faster, and saves after that', async () => {
  await open()
  answer = () => {
    row = { ...row, timer: byBen }
    answer = store200
    return refusal(409, 'timer_replaced')
  }
  await press('Vanishing messages Off')
  await choose('1 week')
  await press('Save')
  expect(await screen.findByText('ben changed it meanwhile. It is now 1 hour.')).toBeTruthy()
  expect(screen.getByRole('radio', { name: '1 week' })).toHaveProperty('checked', true)
  await press('Save')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.map(({ replaces }) => replaces)).toEqual([null, 'ben 1'])
})

it('repeats a call without an answer under the same id, and another choice under another one', async () => {
  await open()
  answer = () => 'no connection'
  await press('Vanishing messages Off')
  await choose('1 week')
  await press('Save')
  expect(await screen.findByText('No connection. Please try again.')).toBeTruthy()
  await press('Save')
  await waitFor(() => expect(sent).toHaveLength(2))
  answer = store200
  await choose('1 day')
  await press('Save')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent[1]?.id).toBe(sent[0]?.id)
  expect(sent[2]?.id).not.toBe(sent[0]?.id)
})

it.each<[string, Partial<Conversation>]>([
  ['in a request that waits', { isRequest: true }],
  ['with a person who is gone', { otherUser: { ...conversationWith().otherUser, isGone: true } }],
])('is not offered %s', async (_where, change) => {
  await open(change)
  expect(await screen.findByRole('button', { name: 'Report' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Vanishing messages/ })).toBeNull()
})

it.each([
  ['the line in the chat', /^ben set messages to vanish after 1 hour Change$/],
  ['the time in the header', /^New messages vanish after 1 hour\s?\. Change$/],
])('%s opens the choice, and what was left gives the focus to the list', async (_what, name) => {
  await open({ timer: byBen })
  await press('Close')
  await press(name)
  expect(await screen.findByRole('dialog', { name: 'Vanishing messages' })).toBeTruthy()
  await choose('Off')
  await press('Save')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByRole('button', { name: 'You turned vanishing off Change' })).toBeTruthy()
  expect(document.activeElement).not.toBe(document.body)
})

it.each([
  ['a request', { isRequest: true }],
  ['a person who is gone', { otherUser: { ...conversationWith().otherUser, isGone: true as const } }],
])('%s shows the timer, and offers no other', async (_what, change) => {
  await open({ timer: byBen, ...change })
  expect(await screen.findByText(/^New messages vanish after/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /vanish/i })).toBeNull()
})
