import { randomUUID } from 'node:crypto'
import { confirmPassword } from '@sumlock/contracts/account-routes'
import * as actions from '@sumlock/contracts/admin-action-routes'
import { listUsers, suspendUser, totalHeader, unsuspendUser } from '@sumlock/contracts/admin-routes'
import { grantPremium } from '@sumlock/contracts/billing-routes'
import { closeReport, listReports, reportConversation } from '@sumlock/contracts/conversation-state-routes'
import { getUser } from '@sumlock/contracts/auth-routes'
import { lock, setDiscreetMode } from '@sumlock/contracts/lock-routes'
import { adminPerson, befriend, signedInLongAgo, unlock, unlockedPerson } from '../kit/people.ts'
import type { Person } from '../kit/people.ts'
import { withDatabase } from '../kit/database.ts'
import { sharedStack } from '../kit/shared-stack.ts'
import type { RunningStack } from '../kit/shared-stack.ts'

let stack: RunningStack
let ann: Person
let ben: Person
beforeAll(async () => {
  stack = await sharedStack()
  ;[ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
})

const rowsBy = ({ user }: Person, service: 'auth' | 'billing' | 'messaging') =>
  withDatabase(stack, service, (database) =>
    database
      .collection<{ adminId: string; action: string; personIds: string[]; days?: number }>('admin_actions')
      .find({ adminId: user.id }, { projection: { _id: 0, action: 1, personIds: 1, days: 1 } })
      .sort({ at: 1 })
      .toArray(),
  )

const oldestAccount = () =>
  withDatabase(stack, 'auth', async (database) => {
    const oldest = database.collection<{ _id: string }>('users').find().sort({ createdAt: 1, _id: 1 })
    return (await oldest.limit(1).toArray())[0]?._id
  })

describe('the account password of an administrator', () => {
  it('opens the admin routes for 15 minutes after it was given, in an unlocked session only', async () => {
    const admin = await adminPerson(stack)
    const list = () => admin.client.call(listUsers, { query: { limit: 1 } })
    const confirm = (password: string) => admin.client.call(confirmPassword, { body: { password } })
    expect(await list()).toMatchObject({ status: 200 })
    await signedInLongAgo(stack, admin)
    await admin.client.ok(lock)
    expect(await list()).toMatchObject({ status: 423 })
    expect(await confirm(admin.password)).toMatchObject({ status: 423 })
    await unlock(admin)
    expect(await list()).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
    expect(await confirm('not the password')).toMatchObject({ body: { code: 'wrong_credentials' } })
    expect(await list()).toMatchObject({ status: 403 })
    expect(await confirm(admin.password)).toMatchObject({ status: 200 })
    // The confirmation counts at each service at once.
    for (const route of [actions.listAccountActions, actions.listPremiumActions, actions.listReportActions])
      expect(await admin.client.call(route)).toMatchObject({ status: 200 })
  })

  it('shows a locked session in discreet mode nothing more', async () => {
    const admin = await adminPerson(stack)
    await admin.client.ok(setDiscreetMode, { body: { isDiscreet: true } })
    await signedInLongAgo(stack, admin)
    await admin.client.ok(confirmPassword, { body: { password: admin.password } })
    await admin.client.ok(lock)
    expect(await admin.client.ok(getUser)).not.toHaveProperty('email')
  })
})

describe('the acts of an administrator', () => {
  it('are rows of the service that does them, reading included', async () => {
    const admin = await adminPerson(stack)
    const { client } = admin
    const { id } = await befriend(ann, ben)
    await ann.client.ok(reportConversation, { params: { id }, body: {} })
    const [first] = await client.ok(listUsers, { query: { limit: 1 } })
    await client.ok(listUsers, { query: { q: ben.username } })
    const params = { userId: ben.user.id }
    await client.ok(suspendUser, { params })
    await client.ok(unsuspendUser, { params })
    expect(await client.call(suspendUser, { params: { userId: admin.user.id } })).toMatchObject({
      status: 403,
    })
    expect(await rowsBy(admin, 'auth')).toEqual([
      { action: 'users-listed', personIds: [first?.id] },
      { action: 'users-searched', personIds: [ben.user.id] },
      { action: 'user-suspended', personIds: [ben.user.id] },
      { action: 'user-unsuspended', personIds: [ben.user.id] },
    ])

    const body = { grantId: randomUUID(), userId: ann.user.id, days: 7 }
    for (let repeated = 0; repeated < 3; repeated += 1) await client.ok(grantPremium, { body })
    expect(await client.call(grantPremium, { body: { ...body, days: 8 } })).toMatchObject({ status: 409 })
    expect(await rowsBy(admin, 'billing')).toEqual([
      { action: 'premium-granted', personIds: [ann.user.id], days: 7 },
    ])

    const reports = await client.ok(listReports)
    const reportId = reports.find(({ reportedBy }) => reportedBy === ann.username)?.id ?? ''
    await client.ok(closeReport, { params: { reportId } })
    const [listed, closed] = (await rowsBy(admin, 'messaging')).slice(-2)
    expect(listed).toMatchObject({ action: 'reports-listed' })
    expect(listed?.personIds).toEqual(expect.arrayContaining([ann.user.id, ben.user.id]))
    expect(closed).toEqual({ action: 'report-closed', personIds: [ann.user.id, ben.user.id] })
  })

  it('name every person that an answer shows or refers to, and no answer counts people whom they do not name', async () => {
    const admin = await adminPerson(stack)
    await befriend(ann, ben)
    const list = async (query: object) => (await admin.client.call(listUsers, { query })).headers
    const all = await list({ limit: 1 })
    expect(Number(all.get(totalHeader))).toBeGreaterThan(1)
    // No account is older than the first one, so the list contains and names only that account.
    const before = await oldestAccount()
    for (const query of [{ q: ben.username }, { q: ben.username, before }])
      expect((await list(query)).get(totalHeader)).toBeNull()
    const [, searched, after] = await rowsBy(admin, 'auth')
    expect(searched).toEqual({ action: 'users-searched', personIds: [ben.user.id] })
    expect(after).toEqual({ action: 'users-searched', personIds: [before] })
    const conversations = await rowsBy(admin, 'messaging')
    expect(conversations.at(-1)).toMatchObject({ action: 'conversations-listed' })
    expect(conversations.at(-1)?.personIds).toContain(ann.user.id)
    await admin.client.ok(actions.listAccountActions)
    const [read] = (await rowsBy(admin, 'auth')).slice(-1)
    expect(read?.action).toBe('actions-listed')
    expect(read?.personIds).toEqual(expect.arrayContaining([admin.user.id, ben.user.id, before]))
  })

  it('are shown to administrators in pages, the latest first, with the names of all, and so is the reading of them', async () => {
    const [admin, other] = await Promise.all([adminPerson(stack), adminPerson(stack)])
    await admin.client.ok(suspendUser, { params: { userId: ann.user.id } })
    await admin.client.ok(unsuspendUser, { params: { userId: ann.user.id } })
    const own = async (query: object = {}) =>
      (await other.client.ok(actions.listAccountActions, { query })).filter(({ admin: name }) =>
        [admin.username, other.username].includes(name),
      )
    const byAdmin = { admin: admin.username, people: [ann.username], peopleCount: 1 }
    const acts = [
      { ...byAdmin, action: 'user-unsuspended' },
      { ...byAdmin, action: 'user-suspended' },
    ]
    expect(await own()).toMatchObject(acts)
    const [read, ...rest] = await own()
    expect(read).toMatchObject({ admin: other.username, action: 'actions-listed' })
    expect(rest).toMatchObject(acts)
    expect((await own({ limit: 10, before: rest[0]?.id }))[0]).toMatchObject(acts[1] ?? {})
    expect(
      await other.client.call(actions.listAccountActions, { query: { limit: 1, before: randomUUID() } }),
    ).toMatchObject({ status: 404 })

    await admin.client.ok(grantPremium, { body: { userId: ann.user.id, days: 2 } })
    const premium = await other.client.ok(actions.listPremiumActions)
    expect(premium.find(({ admin: name }) => name === admin.username)).toMatchObject({
      ...byAdmin,
      action: 'premium-granted',
      days: 2,
    })
    await admin.client.ok(listReports)
    const reports = await other.client.ok(actions.listReportActions)
    expect(reports.find(({ admin: name }) => name === admin.username)).toMatchObject({
      action: 'reports-listed',
    })
    expect(await ann.client.call(actions.listAccountActions)).toMatchObject({ status: 401 })
  })
})
