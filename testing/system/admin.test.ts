import { randomUUID } from 'node:crypto'
import { listAccesses, listGrantsByAdmins } from '@sumlock/contracts/admin-action-routes'
import { listUsers, suspendUser, totalHeader, unsuspendUser } from '@sumlock/contracts/admin-routes'
import { getUser, login } from '@sumlock/contracts/auth-routes'
import { grantPremium } from '@sumlock/contracts/billing-routes'
import { closeReport, listReports, reportConversation } from '@sumlock/contracts/conversation-state-routes'
import { listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import { Client } from '@sumlock/deployment/api-client'
import { makeAdmin } from '@sumlock/dev/product/services'
import { adminPerson, befriend, registerPerson, unlockedPerson } from '../kit/people.ts'
import type { Person } from '../kit/people.ts'
import { sharedStack } from '../kit/shared-stack.ts'
import type { RunningStack } from '../kit/shared-stack.ts'
import { connect, nextState } from '../kit/socket.ts'
import { eventually } from '../kit/wait.ts'

let stack: RunningStack
let admin: Person
let ann: Person
let ben: Person
let conversationId: string

beforeAll(async () => {
  stack = await sharedStack()
  ;[admin, ann, ben] = await Promise.all([adminPerson(stack), unlockedPerson(stack), unlockedPerson(stack)])
  ;({ id: conversationId } = await befriend(ann, ben))
})

const find = (q: string) => admin.client.ok(listUsers, { query: { q, limit: 10 } })
const signIn = ({ username }: Person, password: string) =>
  new Client({ gatewayUrl: stack.gatewayUrl }).call(login, { body: { username, password } })

it('the command set-admin makes a person an administrator, in open sessions, too', async () => {
  const cal = await unlockedPerson(stack)
  const list = () => cal.client.call(listUsers, { query: { limit: 1 } })
  expect(await list()).toMatchObject({ status: 403 })
  await makeAdmin(stack.service('auth'), cal.username)
  await eventually(async () => expect(await list()).toMatchObject({ status: 200 }))
})

describe('the list of users', () => {
  it('ADMIN-01 CALL-42: has everyone, newest first, with plan, count of the day and conversations, and the number of all', async () => {
    const cal = await unlockedPerson(stack)
    await ann.client.ok(sendMessage, { body: { conversationId, content: 'the free one' } })
    await admin.client.ok(grantPremium, { body: { userId: ben.user.id, days: 30 } })
    const answer = await admin.client.raw('GET', '/api/admin/users?limit=500', {})
    const users = (await answer.json()) as Awaited<ReturnType<typeof find>>
    expect(Number(answer.headers.get(totalHeader))).toBeGreaterThanOrEqual(users.length)
    const times = users.map(({ createdAt }) => createdAt)
    expect(times).toEqual([...times].sort().reverse())
    const rowOf = (person: Person) => users.find(({ id }) => id === person.user.id)
    expect(rowOf(ann)).toEqual({
      id: ann.user.id,
      username: ann.username,
      email: ann.user.email,
      fullName: ann.user.fullName,
      userCode: ann.user.userCode,
      phone: ann.phone,
      isPhoneVerified: true,
      isAdmin: false,
      suspendedAt: null,
      createdAt: ann.user.createdAt,
      subscriptionType: 'free',
      subscriptionExpiresAt: null,
      dailyMessageCount: 1,
      conversations: [{ id: conversationId, otherUsername: ben.username }],
    })
    expect(rowOf(ben)).toMatchObject({
      subscriptionType: 'premium',
      subscriptionExpiresAt: expect.any(String),
      dailyMessageCount: 0,
    })
    expect(rowOf(cal)).toMatchObject({ conversations: [] })
    expect(rowOf(admin)).toMatchObject({ isAdmin: true })
  })

  it('D-42: is read in pages without a gap and searched by a part of name, address, number or code', async () => {
    // People of other tests may register between two pages.
    const q = `Page ${randomUUID()}`
    const people = await Promise.all([1, 2, 3].map(() => registerPerson(stack, { fullName: q })))
    const page = (query: object) => admin.client.ok(listUsers, { query: { q, ...query } })
    const [first, second] = await page({ limit: 2 })
    const rest = await page({ limit: 2, before: first?.id })
    expect(rest[0]?.id).toBe(second?.id)
    expect([first, ...rest].map((user) => user?.id).sort()).toEqual(people.map(({ user }) => user.id).sort())
    const unknown = { limit: 1, before: conversationId } as never
    expect(await admin.client.call(listUsers, { query: unknown })).toMatchObject({ status: 404 })
    for (const part of [ann.username.toUpperCase(), ann.user.email, ann.phone, ann.user.userCode.slice(0, 4)])
      expect((await find(part)).map(({ id }) => id)).toContain(ann.user.id)
    expect((await find(ann.username)).map(({ id }) => id)).toEqual([ann.user.id])
    // The search is not a pattern: every character stands for itself.
    expect(await find('.*')).toEqual([])
  })

  it('is noted for each person it showed, once a minute, and for no other', async () => {
    const [dee, eve] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    const accessesOf = ({ client }: Person) => client.ok(listAccesses)
    expect(await accessesOf(dee)).toEqual([])
    await find(dee.username)
    const [noted, ...others] = await accessesOf(dee)
    expect(others).toEqual([])
    expect(noted).toEqual({ action: 'looked-at', at: expect.stringMatching(/:00\.000Z$/) })
    await Promise.all(Array.from({ length: 5 }, () => find(dee.username)))
    // A minute may have ended in between.
    expect((await accessesOf(dee)).length).toBeLessThanOrEqual(2)
    expect(await accessesOf(eve)).toEqual([])
  })
})

describe('a person', () => {
  it('reads that an administrator suspended the account and gave it premium, not which one, and nothing of reports', async () => {
    const [gil, hal] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    const { id } = await befriend(gil, hal)
    await hal.client.ok(reportConversation, { params: { id }, body: {} })
    const reports = await admin.client.ok(listReports)
    const reported = reports.find(({ reportedUserId }) => reportedUserId === gil.user.id)
    await admin.client.ok(closeReport, { params: { reportId: reported?.id ?? '' } })
    for (const days of [3, 4]) await admin.client.ok(grantPremium, { body: { userId: gil.user.id, days } })
    await admin.client.ok(suspendUser, { params: { userId: gil.user.id } })
    await admin.client.ok(unsuspendUser, { params: { userId: gil.user.id } })
    const { username, password } = gil
    await gil.client.ok(login, { body: { username, password } })
    const account = await gil.client.ok(listAccesses)
    expect(account.map(({ action }) => action).sort()).toEqual(['suspended', 'unsuspended'])
    const premium = await gil.client.ok(listGrantsByAdmins)
    expect(premium.every(({ action }) => action === 'premium-granted')).toBe(true)
    // A minute may have ended between the two grants.
    expect(premium.reduce((sum, { days = 0 }) => sum + days, 0)).toBe(7)
    expect(JSON.stringify([account, premium])).not.toContain(admin.username)
    expect(await hal.client.ok(listAccesses)).toEqual([])
  })
})

describe('a suspended person', () => {
  it('is signed out everywhere at once, is told so only with the right password, and the other side still reads', async () => {
    const live = connect(ben)
    await nextState(live, ({ connected }) => connected)
    await admin.client.ok(suspendUser, { params: { userId: ben.user.id } })
    const startedAt = performance.now()
    await nextState(live, ({ connected }) => !connected)
    expect(performance.now() - startedAt).toBeLessThan(5000)
    live.close()
    await eventually(async () => expect(await ben.client.call(getUser)).toMatchObject({ status: 401 }))
    expect(await signIn(ben, ben.password)).toMatchObject({
      status: 403,
      body: { code: 'account_suspended' },
    })
    expect(await signIn(ben, 'not the password')).toMatchObject({
      status: 403,
      body: { code: 'wrong_credentials' },
    })
    expect(await find(ben.username)).toMatchObject([{ suspendedAt: expect.any(String) }])
    expect(await ann.client.ok(listMessages, { params: { id: conversationId } })).toHaveLength(1)

    await admin.client.ok(unsuspendUser, { params: { userId: ben.user.id } })
    expect(await signIn(ben, ben.password)).toMatchObject({ status: 200 })
  })

  it('is not an admin, and concurrent sign-ins leave no session', async () => {
    const suspend = (userId: string) => admin.client.call(suspendUser, { params: { userId } })
    expect(await suspend(admin.user.id)).toMatchObject({ status: 403, body: { code: 'not_allowed' } })
    expect(await suspend(conversationId)).toMatchObject({ status: 404 })
    const fay = await unlockedPerson(stack)
    const clients = Array.from({ length: 8 }, () => new Client({ gatewayUrl: stack.gatewayUrl }))
    const { username, password } = fay
    const [suspended] = await Promise.all([
      suspend(fay.user.id),
      ...clients.map((client) => client.call(login, { body: { username, password } })),
    ])
    expect(suspended).toMatchObject({ status: 200 })
    for (const client of clients)
      await eventually(async () => expect(await client.call(getUser)).toMatchObject({ status: 401 }))
  })
})
