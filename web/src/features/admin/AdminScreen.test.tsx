import type { ListedUser } from '@sumlock/contracts/admin-routes'
import { render, screen, waitFor, within } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { Provider } from 'react-redux'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { fakeApi, lockedUser, refusal, unlockedUser } from '../../../test/fake-api.ts'
import { dateText } from '../../shared/lib/date-text.ts'
import { Toaster } from '../../shared/ui/Toaster.tsx'
import { Tooltips } from '../../shared/ui/TipButton.tsx'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { AdminScreen } from './AdminScreen.tsx'
import { store } from '../../../test/page.ts'

const list = 'GET /api/admin/users'
const conversationId = '9f2d8c31-6a0e-4a52-9f5c-0d6c3c6a0f11'
const free: ListedUser = {
  id: '0b4d3a52-6a0e-4a52-9f5c-0d6c3c6a0f11',
  username: 'ben',
  email: 'ben@example.com',
  fullName: 'Ben Nevis',
  userCode: 'ABCD-EFGH-J',
  phone: '+15550001234',
  isPhoneVerified: true,
  isAdmin: false,
  suspendedAt: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  subscriptionType: 'free',
  subscriptionExpiresAt: null,
  dailyMessageCount: 1,
  conversations: [{ id: conversationId, otherUsername: 'cleo' }],
}
const premium: ListedUser = {
  ...free,
  id: '0b4d3a52-6a0e-4a52-9f5c-0d6c3c6a0f12',
  username: 'cleo',
  phone: '',
  isPhoneVerified: false,
  subscriptionType: 'premium',
  subscriptionExpiresAt: '2027-01-31T12:00:00.000Z',
  dailyMessageCount: 0,
  conversations: [],
}

let users: ListedUser[]
let sent: { call: string; body: unknown }[]
let server: ReturnType<typeof fakeApi>
const note = (call: string) => (body: unknown) => {
  sent.push({ call, body })
  return { status: 200, body: { ok: true } }
}
beforeEach(() => {
  users = [free, premium]
  sent = []
  server = fakeApi({
    'GET /api/user': () => ({ status: 200, body: { ...unlockedUser, isAdmin: true } }),
    [list]: () => ({ status: 200, body: users, headers: { 'x-total-count': '7' } }),
    'GET /api/admin/reports': () => ({ status: 200, body: [] }),
    'POST /api/admin/grants': note('grant'),
    [`POST /api/admin/users/${free.id}/suspend`]: note('suspend'),
    [`POST /api/admin/users/${free.id}/unsuspend`]: note('unsuspend'),
  })
})
afterEach(() => server.restore())

const open = () =>
  render(
    <Provider store={store}>
      <Tooltips>
        <Toaster />
        <MemoryRouter initialEntries={['/admin']}>
          <AuthProvider>
            <Routes>
              <Route path="/" element={<p>calculator</p>} />
              <Route path="/admin" element={<AdminScreen />} />
            </Routes>
          </AuthProvider>
        </MemoryRouter>
      </Tooltips>
    </Provider>,
  )
const rowOf = async (name: string) =>
  (await screen.findByRole('button', { name: `Manage ${name}` })).closest('tr') as HTMLElement
const cell = (row: HTMLElement, column: string) =>
  row.querySelector(`[data-label="${column}"]`)?.textContent ?? ''
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

it('ADMIN-02 ADMIN-03: the dashboard has its title, and its back button leads to the calculator', async () => {
  open()
  expect(await screen.findByRole('heading', { name: 'Admin Dashboard' })).toBeTruthy()
  await press('Back')
  expect(await screen.findByText('calculator')).toBeTruthy()
})

it('ADMIN-04 ADMIN-05 D-61: all users stand there with their number, under the specified columns and one for actions', async () => {
  open()
  expect(await screen.findByRole('heading', { name: 'All Users (7)' })).toBeTruthy()
  await rowOf('ben')
  const names = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  const fields = 'Username,Email,Full Name,User Code,Phone,Status,Messages/Day,Conversations,Created'
  expect(names).toEqual([...fields.split(','), 'Actions'])
  const row = await rowOf('ben')
  expect(fields.split(',').map((column) => cell(row, column))).toEqual([
    'ben',
    'ben@example.com',
    'Ben Nevis',
    'ABCD-EFGH-J',
    '+15550001234',
    'freePhone ✓',
    '1/1',
    'cleo (9f2d8c31)',
    dateText(free.createdAt),
  ])
})

it('ADMIN-06 ADMIN-07 ADMIN-08 ENT-16: the status is the plan, with its end for premium and a badge for a proven phone, which may be missing', async () => {
  open()
  const until = `Until ${dateText(premium.subscriptionExpiresAt as string)}`
  expect(cell(await rowOf('cleo'), 'Status')).toBe(`premium${until}`)
  expect(cell(await rowOf('ben'), 'Status')).toBe('freePhone ✓')
  expect(cell(await rowOf('cleo'), 'Phone')).toBe('–')
})

it('ADMIN-09 ADMIN-10: messages of the day are counted over 1, without a limit for premium', async () => {
  open()
  expect(cell(await rowOf('ben'), 'Messages/Day')).toBe('1/1')
  expect(cell(await rowOf('cleo'), 'Messages/Day')).toBe('∞')
})

it('ADMIN-11 ADMIN-12: conversations name the partner and the start of the id, or say that there are none', async () => {
  open()
  expect(cell(await rowOf('ben'), 'Conversations')).toBe(`cleo (${conversationId.slice(0, 8)})`)
  expect(cell(await rowOf('cleo'), 'Conversations')).toBe('No conversations')
})

it('ADMIN-13: an empty dashboard says so', async () => {
  users = []
  open()
  expect(await screen.findByText('No users found')).toBeTruthy()
  expect(screen.queryByRole('table')).toBeNull()
})

it.each([
  ['a person without the flag', { ...unlockedUser, isAdmin: false }, false],
  ['an admin who lost the flag a moment ago', { ...unlockedUser, isAdmin: true }, true],
])('to %s the dashboard does not exist', async (_who, user, isAsked) => {
  server.answers['GET /api/user'] = () => ({ status: 200, body: user })
  server.answers[list] = () => refusal(403, 'not_allowed')
  open()
  await waitFor(() => expect(server.asked).toContain(isAsked ? list : 'GET /api/user'))
  await waitFor(() => expect(screen.queryByText('Admin Dashboard')).toBeNull())
  expect(await screen.findByText('404 Page Not Found')).toBeTruthy()
})

it('a locked admin is told to unlock, and no list is asked for', async () => {
  server.answers['GET /api/user'] = () => ({ status: 200, body: { ...lockedUser, isAdmin: true } })
  open()
  expect(await screen.findByText(/work in an unlocked session/)).toBeTruthy()
  expect(server.asked).not.toContain(list)
})

describe('the account password, once it counts no longer', () => {
  let isFresh = false
  const unlessStale = (answer: () => { status: number; body: unknown; headers?: Record<string, string> }) =>
    isFresh ? answer() : refusal(403, 'step_up_required')
  beforeEach(() => {
    isFresh = false
    server.answers['POST /api/confirm-password'] = (body) => {
      isFresh = (body as { password: string }).password === 'right'
      return isFresh ? { status: 200, body: { ok: true } } : refusal(403, 'wrong_credentials')
    }
  })
  const give = async (password: string) => {
    const field = await screen.findByLabelText('Account password')
    await userEvent.clear(field)
    await userEvent.type(field, password)
    await press('Continue')
  }

  it('is asked for in a dialog that says why, and the list follows', async () => {
    server.answers[list] = () => unlessStale(() => ({ status: 200, body: users }))
    open()
    expect(await screen.findByText(/their account password every 15 minutes/)).toBeTruthy()
    await give('wrong')
    expect(await screen.findByText('This is not your account password.')).toBeTruthy()
    await give('right')
    expect(await rowOf('ben')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('is asked for once for all that waits, and may be declined and given later', async () => {
    server.answers[list] = () => unlessStale(() => ({ status: 200, body: users }))
    open()
    await press('Cancel')
    await press('Retry')
    await give('right')
    expect(await rowOf('ben')).toBeTruthy()
    isFresh = false
    server.answers['GET /api/admin/reports'] = () => unlessStale(() => ({ status: 200, body: [] }))
    server.answers['GET /api/admin/actions/accounts'] = () => unlessStale(() => ({ status: 200, body: [] }))
    await press('Accounts')
    expect(await screen.findAllByLabelText('Account password')).toHaveLength(1)
    await give('right')
    expect(await screen.findByText('No actions')).toBeTruthy()
  })

  it('is asked for above what is open: the grant goes on with the days that were typed', async () => {
    isFresh = true
    open()
    await press('Manage ben')
    await userEvent.clear(screen.getByLabelText('Days of premium'))
    await userEvent.type(screen.getByLabelText('Days of premium'), '77')
    isFresh = false
    server.answers['POST /api/admin/grants'] = (body) => unlessStale(() => note('grant')(body))
    await press('Grant premium')
    await screen.findByLabelText('Account password')
    expect(screen.getByLabelText<HTMLInputElement>('Days of premium').value).toBe('77')
    expect(sent).toEqual([])
    await give('right')
    await waitFor(() => expect(sent).toMatchObject([{ call: 'grant', body: { userId: free.id, days: 77 } }]))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

it('what administrators did is asked for by a press, names everybody, and has further pages', async () => {
  const action = (number: number, more: object = {}) => ({
    id: `0b4d3a52-6a0e-4a52-9f5c-0000000000${10 + number}`,
    at: '2026-11-22T12:00:00.000Z',
    admin: 'grace',
    action: 'user-suspended',
    people: ['ben'],
    peopleCount: 1,
    ...more,
  })
  const first = Array.from({ length: 40 }, (_, number) => action(number))
  first[0] = action(0, { action: 'premium-granted', days: 7 })
  first[1] = action(1, { action: 'users-listed', people: ['ben', 'cleo'], peopleCount: 200 })
  const path = 'GET /api/admin/actions/accounts'
  server.answers[path] = () => ({ status: 200, body: first })
  server.answers[`${path}?before=${first[39]?.id}`] = () => ({
    status: 200,
    body: [action(50, { admin: 'ada', action: 'actions-listed', people: [], peopleCount: 0 })],
  })
  open()
  expect(await screen.findByRole('heading', { name: 'Actions of administrators' })).toBeTruthy()
  expect(server.asked.join()).not.toContain('/api/admin/actions')
  await press('Accounts')
  expect(await screen.findByText('gave 7 days of Premium', { exact: false })).toBeTruthy()
  expect(screen.getByText(/ben, cleo and 198 more/)).toBeTruthy()
  await userEvent.click(screen.getAllByRole('button', { name: 'Load more' }).at(-1) as HTMLElement)
  expect(await screen.findByText('read these actions', { exact: false })).toBeTruthy()
})

it('an admin grants premium once however often it is pressed, suspends, and lifts the suspension', async () => {
  open()
  await press('Manage ben')
  await userEvent.clear(screen.getByLabelText('Days of premium'))
  await userEvent.type(screen.getByLabelText('Days of premium'), '0')
  await press('Grant premium')
  expect(screen.getByText('Enter 1 to 3650 days.')).toBeTruthy()
  expect(sent).toEqual([])
  await userEvent.clear(screen.getByLabelText('Days of premium'))
  await userEvent.type(screen.getByLabelText('Days of premium'), '٧')
  await userEvent.dblClick(screen.getByRole('button', { name: 'Grant premium' }))
  await waitFor(() => expect(sent.length).toBeGreaterThan(0))
  const grants = new Set(sent.map(({ body }) => (body as { grantId: string }).grantId))
  expect(grants.size).toBe(1)
  expect(sent[0]).toMatchObject({ call: 'grant', body: { userId: free.id, days: 7 } })

  sent = []
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await press('Manage ben')
  users = [{ ...free, suspendedAt: '2026-11-22T12:00:00.000Z' }, premium]
  await press('Suspend')
  await waitFor(async () => expect(cell(await rowOf('ben'), 'Status')).toContain('suspended'))
  await press('Manage ben')
  await press('Lift suspension')
  await waitFor(() => expect(sent.map(({ call }) => call)).toEqual(['suspend', 'unsuspend']))
})

it('further pages and a search ask the server', async () => {
  open()
  await rowOf('ben')
  const next = { ...free, id: '0b4d3a52-6a0e-4a52-9f5c-0d6c3c6a0f13', username: 'dora' }
  server.answers[`${list}?before=${premium.id}`] = () => ({
    status: 200,
    body: [next],
    headers: { 'x-total-count': '3' },
  })
  server.answers[`${list}?q=do`] = () => ({ status: 200, body: [next] })
  await press('Load more')
  expect(await rowOf('dora')).toBeTruthy()
  expect(await rowOf('ben')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search users' }), 'do{Enter}')
  expect(await screen.findByRole('heading', { name: 'All Users (1)' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Manage ben' })).toBeNull()
})

const reportOf = (number: number, more: object) => ({
  id: `${free.id}.2026-11-22.${number}`,
  reportedBy: 'ben',
  reported: 'cleo',
  reportedUserId: premium.id,
  conversationId,
  messages: [{ id: 'm1' }],
  note: null,
  createdAt: '2026-11-22T12:00:00.000Z',
  closedAt: null,
  ...more,
})
const reportItems = async () =>
  within((await screen.findByRole('heading', { name: 'Reports' })).parentElement as HTMLElement)

it('reports name both people, and what the reporter attached, which cannot be proven', async () => {
  server.answers['GET /api/admin/reports'] = () => ({
    status: 200,
    body: [
      reportOf(2, { note: 'Spam' }),
      reportOf(1, { messages: [{ id: 'm1', text: 'buy' }, { id: 'm2' }] }),
    ],
  })
  open()
  const items = await reportItems()
  expect(await items.findByText('Spam')).toBeTruthy()
  expect(items.getByText('buy').tagName).toBe('BLOCKQUOTE')
  expect(items.getByText(/1 message named/)).toBeTruthy()
  const [, withText] = items.getAllByRole('listitem')
  expect(withText?.textContent).toContain('2 messages named')
  expect(withText?.textContent).toContain('Attached by the reporter. It cannot be proven.')
  expect(items.getAllByText(/cannot be proven/)).toHaveLength(1)
})

it('a report is closed once and then says when; a failure is told', async () => {
  let reports = [reportOf(1, {})]
  const closing = `POST /api/admin/reports/${reports[0]?.id}/close`
  server.answers['GET /api/admin/reports'] = () => ({ status: 200, body: reports })
  server.answers[closing] = () => refusal(503, 'unavailable')
  open()
  await press('Close the report by ben')
  expect(await screen.findByText('Not closed')).toBeTruthy()
  server.answers[closing] = () => {
    reports = [reportOf(1, { closedAt: '2026-11-23T12:00:00.000Z' })]
    return { status: 200, body: { ok: true } }
  }
  await press('Close the report by ben')
  const items = await reportItems()
  expect(await items.findByText(/Closed /)).toBeTruthy()
  expect(items.queryByRole('button')).toBeNull()
})
