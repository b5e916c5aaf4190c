import { render, screen, waitFor } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { Provider } from 'react-redux'
import { MemoryRouter } from 'react-router-dom'
import { fakeApi, unlockedUser } from '../../../test/fake-api.ts'
import { offerDatabase } from '../../../test/fake-database.ts'
import { LockWatch } from '../session/LockWatch.tsx'
import type { Session } from '../conversations/open-session.ts'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { sessionApi } from '../session/session-api.ts'
import { LogoutButton } from './LogoutButton.tsx'
import { request, store, toasts as toastStore, page, testPage } from '../../../test/page.ts'

const realReplace = page.replace
let replaced: string[]
let server: ReturnType<typeof fakeApi>
let records: ReturnType<typeof offerDatabase>
let entriesAtClose: string[] | undefined

beforeEach(() => {
  replaced = []
  entriesAtClose = undefined
  page.replace = (address) => void replaced.push(address)
  records = offerDatabase()
  records.set('unsent', new ArrayBuffer(1))
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: unlockedUser }),
    'POST /api/logout': () => ({ status: 200 }),
  })
})
afterEach(() => {
  server.restore()
  page.replace = realReplace
  localStorage.clear()
})

function show(unsent: number, acts = 0) {
  const left = { items: Array.from({ length: unsent }), acts: Array.from({ length: acts }) }
  const outbox = { ...left, flush: () => Promise.resolve(unsent === 0) }
  testPage.session = {
    userId: 'u1',
    outbox,
    flush: () => Promise.resolve(),
    close: () => {
      entriesAtClose ??= [...records.keys()]
    },
  } as unknown as Session
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={['/settings']}>
        <AuthProvider>
          <LockWatch>
            <LogoutButton />
          </LockWatch>
        </AuthProvider>
      </MemoryRouter>
    </Provider>,
  )
}
const click = (name: string) => userEvent.click(screen.getByRole('button', { name }))

it('Logout signs out at once when everything was sent, and closes the outbox before the entry is removed', async () => {
  show(0)
  await click('Logout')
  await waitFor(() => expect(replaced).toEqual(['/']))
  expect(entriesAtClose).toEqual(['unsent'])
  expect(records.size).toBe(0)
})

it('Logout leads to the calculator, also when another call learns of the end of the session first', async () => {
  server.answers['GET /api/conversations'] = () => ({ status: 401 })
  await store.dispatch(sessionApi.util.upsertQueryData('getUser', undefined, unlockedUser))
  show(0)
  server.answers['POST /api/logout'] = async () => {
    await request({ url: '/api/conversations' })
    return { status: 200 }
  }
  await click('Logout')
  await waitFor(() => expect(replaced).toContain('/'))
  expect(server.asked).toContain('GET /api/conversations')
  expect(replaced).toEqual(['/'])
})

it.each([
  [1, '1 message was not sent yet. Sign out anyway?'],
  [3, '3 messages were not sent yet. Sign out anyway?'],
])(
  'Logout asks before %i unsent messages are lost, and stays when that is cancelled',
  async (unsent, question) => {
    show(unsent)
    await click('Logout')
    expect(await screen.findByText(question)).toBeTruthy()
    await click('Cancel')
    expect(screen.queryByText(question)).toBeNull()
    expect(server.asked).not.toContain('POST /api/logout')
    expect(entriesAtClose).toBeUndefined()
  },
)

it('ERR-05: a logout that the server refuses shows "Logout failed" and leaves the page', async () => {
  server.answers['POST /api/logout'] = () => ({ status: 503, body: { error: 'Try later.', code: 'busy' } })
  show(0)
  await click('Logout')
  await waitFor(() => expect(toastStore.get()).toMatchObject({ title: 'Logout failed' }))
  expect(replaced).toEqual([])
})

it('Logout asks before a deletion or a change is lost that was not sent', async () => {
  show(0, 1)
  await click('Logout')
  expect(
    await screen.findByText('A change or a deletion of a message was not sent yet. Sign out anyway?'),
  ).toBeTruthy()
  expect(replaced).toEqual([])
})

it('Logout signs out with unsent messages when that was confirmed', async () => {
  show(2)
  await click('Logout')
  await screen.findByText(/2 messages were not sent yet/)
  await click('Sign out')
  await waitFor(() => expect(replaced).toEqual(['/']))
  expect(entriesAtClose).toEqual(['unsent'])
})
