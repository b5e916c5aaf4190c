import { act, cleanup, fireEvent, render, screen, waitFor } from '../../../test/render.tsx'
import { MemoryRouter } from 'react-router-dom'
import { conversationWith } from '../../../test/conversation-with.ts'
import { fakeApi } from '../../../test/fake-api.ts'
import { fakeMessaging } from '../../../test/fake-messaging.tsx'
import { Tooltips } from '../../shared/ui/TipButton.tsx'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { ConversationList } from '../conversations/ConversationList.tsx'
import { listOf, messagingApi } from '../conversations/messaging-api.ts'
import { store } from '../../../test/page.ts'

const list = 'GET /api/conversations'
const rowOf = (number: number) =>
  conversationWith({
    id: `c${number}`,
    otherUser: { id: `p${number}`, username: `person ${number}`, userCode: `CODE-${number}` },
    lastMessageAt: new Date(Date.UTC(2026, 10, 20) - number * 1000).toISOString(),
  })
const rows = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => rowOf(from + index))
const afterRow = (number: number) => `${list}?before=${Date.UTC(2026, 10, 20) - number * 1000}_c${number}`
let server: ReturnType<typeof fakeApi>
let messaging: Awaited<ReturnType<typeof fakeMessaging>>

beforeEach(async () => {
  server = fakeApi({
    [list]: () => ({ status: 200, body: rows(1, 50) }),
    [afterRow(50)]: () => ({ status: 200, body: rows(51, 100) }),
    [afterRow(100)]: () => ({ status: 200, body: rows(101, 110) }),
  })
  messaging = await fakeMessaging({ connected: true })
})
afterEach(() => {
  cleanup()
  act(() => server.restore())
  messaging.close()
})

const show = () => {
  const { Wrapper } = messaging
  render(
    <Wrapper>
      <MemoryRouter>
        <AuthProvider>
          <Tooltips>
            <ConversationList openId={undefined} />
          </Tooltips>
        </AuthProvider>
      </MemoryRouter>
    </Wrapper>,
  )
}
const ids = () => listOf(store.getState())?.map(({ id }) => id)
const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id)
const refetch = async () => {
  const { listConversations } = messagingApi.endpoints
  await act(() =>
    store.dispatch(listConversations.initiate(undefined, { forceRefetch: true, subscribe: false })),
  )
}

it('a long list loads its further pages when its end comes into view, each once', async () => {
  show()
  expect(await screen.findByText('person 110')).toBeTruthy()
  expect(ids()).toEqual(idsOf(rows(1, 110)))
  expect(server.asked.filter((call) => call.startsWith(`${list}?`))).toEqual([afterRow(50), afterRow(100)])
})

it('the first page that is fetched again keeps the further pages, unless something may be missing in between', async () => {
  show()
  await screen.findByText('person 110')
  const moved = {
    ...rowOf(70),
    activeAt: '2026-11-21T00:00:00.000Z',
    lastMessageAt: '2026-11-21T00:00:00.000Z',
  }
  server.answers[list] = () => ({ status: 200, body: [moved, ...rows(1, 49)] })
  await refetch()
  expect(ids()).toEqual(['c70', ...idsOf([...rows(1, 69), ...rows(71, 110)])])

  cleanup()
  const unknown = Array.from({ length: 50 }, (_, index) => ({ ...moved, id: `new ${index}` }))
  server.answers[list] = () => ({ status: 200, body: unknown })
  await refetch()
  expect(ids()).toEqual(idsOf(unknown))
})

it('a search in a long list asks the server by name or code, and shows what it finds', async () => {
  server.answers[afterRow(50)] = () => ({ status: 503 })
  server.answers[`${list}?search=person+105`] = () => ({ status: 200, body: [rowOf(105)] })
  server.answers[`${list}?search=nobody`] = () => ({ status: 200, body: [] })
  show()
  await screen.findByText('person 50')
  await screen.findByRole('searchbox')
  // Real typing on a busy machine may pause between two letters, which would start the search too early.
  const typeAtOnce = (...texts: string[]) => {
    for (const value of texts) fireEvent.change(screen.getByRole('searchbox'), { target: { value } })
  }
  typeAtOnce('person', 'person 10', 'person 105')
  expect(await screen.findByText('person 105')).toBeTruthy()
  expect(screen.queryByText('person 50')).toBeNull()

  typeAtOnce('', 'no', 'nobody')
  expect(await screen.findByText('No conversation matches “nobody”.')).toBeTruthy()
  await waitFor(() => expect(server.asked.filter((call) => call.includes('search='))).toHaveLength(2))
})
