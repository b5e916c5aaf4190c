import { deleteAccount, keepAccount } from '@sumlock/contracts/account-routes'
import { suspendUser, unsuspendUser } from '@sumlock/contracts/admin-routes'
import * as auth from '@sumlock/contracts/auth-routes'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import { limits } from '@sumlock/contracts/limits'
import { requestPasswordReset, resetPassword } from '@sumlock/contracts/mail-link-routes'
import { listConversations } from '@sumlock/contracts/messaging-routes'
import { Client } from '@sumlock/deployment/api-client'
import { withDatabase } from '@sumlock/testing/database'
import { mailsFor } from '@sumlock/testing/inbox'
import {
  adminPerson,
  befriend,
  readUser,
  registerPerson,
  signedInLongAgo,
  unlockedPerson,
} from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { readMailToken } from '@sumlock/testing/mail-token'
import { proveEmail } from '@sumlock/testing/prove-email'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import { endPause } from './end-pause.ts'
import { carryOutReset, resetDue } from '../src/use-cases/carry-out-reset.ts'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})
const opened: { close(): Promise<unknown> }[] = []
afterAll(() => Promise.all(opened.map((context) => context.close())))

const hourMs = 3_600_000
/** An auth process that runs this many hours in the future. */
async function authIn(hours: number) {
  const { environment } = stack.service('auth')
  const ctx = await createContext(readConfig({ ...environment, CLOCK_OFFSET_MS: String(hours * hourMs) }))
  opened.push(ctx)
  return ctx
}

/** The person on another device, with the account password and without the number. */
async function signedInAnew({ username, password }: Person) {
  const client = new Client(stack)
  const user = await client.ok(auth.login, { body: { username, password } })
  return { client, user }
}
const reset = (client: Client, { password }: Person) => client.ok(auth.resetApp, { body: { password } })
const enter = (client: Client, numericPassword: string, intent: 'unlock' | 'probe' = 'unlock') =>
  client.call(lockRoutes.verifyNumericPassword, { body: { numericPassword, intent } })

it('a reset in a session without the number waits a day, which that session, unlocked devices and a mail announce', async () => {
  const ann = await unlockedPerson(stack)
  await proveEmail(stack, ann)
  const { client: anew, user } = await signedInAnew(ann)
  expect(user).toMatchObject({ resetWaits: true })
  expect(await readUser(ann.client)).not.toHaveProperty('resetWaits')

  const { dueAt = '' } = await reset(anew, ann)
  const waitsMs = Date.parse(dueAt) - Date.now()
  expect(waitsMs).toBeLessThanOrEqual(limits.resetWaitHours * hourMs)
  expect(waitsMs).toBeGreaterThan((limits.resetWaitHours - 1) * hourMs)
  expect(await reset(anew, ann)).toMatchObject({ dueAt })

  expect(await readUser(anew)).toMatchObject({ resetDueAt: dueAt, isSetupComplete: true })
  expect(await readUser(ann.client)).toMatchObject({ resetDueAt: dueAt })
  expect((await signedInAnew(ann)).user).toMatchObject({ resetDueAt: dueAt })
  await eventually(async () => {
    const subjects = (await mailsFor(stack.addresses.inboxUrl, ann.user.email)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject === 'Your Calculator will be reset')).toHaveLength(1)
  })
})

it('a locked device is not shown the reset that another one requested', async () => {
  const ann = await unlockedPerson(stack)
  const { client: anew } = await signedInAnew(ann)
  const { dueAt } = await reset(anew, ann)
  await ann.client.ok(lockRoutes.lock)
  for (const client of [ann.client, anew]) await signedInLongAgo(stack, { client })
  expect(await readUser(ann.client)).not.toHaveProperty('resetDueAt')
  expect(await readUser(anew)).toMatchObject({ resetDueAt: dueAt })
})

it('the right number cancels a waiting reset in any session, and the answer reports it', async () => {
  const ann = await unlockedPerson(stack)
  const { client: anew } = await signedInAnew(ann)
  const { dueAt } = await reset(anew, ann)
  expect(await enter(ann.client, '99999')).toMatchObject({ status: 403 })
  await endPause(stack, ann)
  expect(await enter(ann.client, ann.pin, 'probe')).toMatchObject({ status: 200 })
  expect(await readUser(anew)).toMatchObject({ resetDueAt: dueAt })

  expect((await enter(ann.client, ann.pin)).body).toMatchObject({ cancelledResetDueAt: dueAt })
  expect(await readUser(anew)).not.toHaveProperty('resetDueAt')
  expect((await enter(ann.client, ann.pin)).body).not.toHaveProperty('cancelledResetDueAt')
  await resetDue(await authIn(limits.resetWaitHours + 1))
  expect(await readUser(anew)).toMatchObject({ isSetupComplete: true, userCode: ann.user.userCode })
})

it('the next unlock reports a cancelled reset if the entry that cancelled it was refused or changed something', async () => {
  const [ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  const { client: annAnew } = await signedInAnew(ann)
  const { client: benAnew } = await signedInAnew(ben)
  const { dueAt } = await reset(annAnew, ann)
  // The deletion ends the session that requests it.
  await annAnew.ok(deleteAccount, { body: { password: ann.password } })
  expect(await enter(ann.client, ann.pin)).toMatchObject({ body: { code: 'deletion_scheduled' } })
  await ann.client.ok(keepAccount)
  expect(await readUser((await signedInAnew(ann)).client)).not.toHaveProperty('resetDueAt')
  expect((await enter(ann.client, ann.pin)).body).toMatchObject({ cancelledResetDueAt: dueAt })
  expect((await enter(ann.client, ann.pin)).body).not.toHaveProperty('cancelledResetDueAt')

  const { dueAt: ofBen } = await reset(benAnew, ben)
  const change = { currentNumericPassword: ben.pin, numericPassword: '97531' }
  await ben.client.ok(lockRoutes.changeNumericPassword, { body: change })
  expect((await enter(ben.client, '97531')).body).toMatchObject({ cancelledResetDueAt: ofBen })
})

it('a suspension cancels a waiting reset, and the next unlock reports it', async () => {
  const [ann, admin] = await Promise.all([unlockedPerson(stack), adminPerson(stack)])
  const { client: anew } = await signedInAnew(ann)
  const { dueAt } = await reset(anew, ann)
  const params = { params: { userId: ann.user.id } }
  await admin.client.ok(suspendUser, params)
  await resetDue(await authIn(limits.resetWaitHours + 1))
  await admin.client.ok(unsuspendUser, params)
  const { client, user } = await signedInAnew(ann)
  expect(user).toMatchObject({ isSetupComplete: true, resetWaits: true })
  expect(user).not.toHaveProperty('resetDueAt')
  expect((await enter(client, ann.pin)).body).toMatchObject({ cancelledResetDueAt: dueAt })
})

it('a person with only the account password can neither sign out the owner nor keep the number from cancelling a reset', async () => {
  const ann = await registerPerson(stack)
  await ann.client.ok(lockRoutes.setupNumericPassword, { body: { numericPassword: ann.pin } })
  const { client: first } = await signedInAnew(ann)
  const { dueAt } = await reset(first, ann)
  const body = { password: ann.password }
  expect(await first.call(auth.endOtherSessions, { body })).toMatchObject({ status: 403 })
  await first.ok(deleteAccount, { body })
  await (await signedInAnew(ann)).client.ok(keepAccount)
  for (let count = 1; count < limits.sessionsPerPerson; count += 1) await signedInAnew(ann)
  const { client: anew } = await signedInAnew(ann)
  expect(await enter(anew, '99999')).toMatchObject({ status: 403 })
  await endPause(stack, ann)
  await withDatabase(stack, 'auth', (database) =>
    database
      .collection<{ _id: string }>('unlock_budgets')
      .updateOne({ _id: ann.user.id }, { $set: { explicit: 9, soft: 20 } }),
  )
  expect(await enter(anew, '99998')).toMatchObject({ status: 403 })
  expect((await readUser(anew)).unlockPausedUntil).not.toBeNull()
  expect(await enter(anew, ann.pin)).toMatchObject({ status: 403 })
  await endPause(stack, ann)

  expect((await readUser(ann.client)).unlockPausedUntil).toBeNull()
  expect(await enter(ann.client, ann.pin, 'probe')).toMatchObject({ status: 200 })
  expect((await enter(ann.client, ann.pin)).body).toMatchObject({ cancelledResetDueAt: dueAt })
})

it('a reset that is cancelled while a process has claimed it is not carried out', async () => {
  const ann = await unlockedPerson(stack)
  const { client: anew } = await signedInAnew(ann)
  await reset(anew, ann)
  const ctx = await authIn(limits.resetWaitHours + 1)
  const claimed = await ctx.users.byId(ann.user.id)
  if (!claimed) throw new Error('The account is gone.')
  await enter(ann.client, ann.pin)
  await carryOutReset(ctx, claimed, { keptSessionId: null })
  expect(await readUser(ann.client)).toMatchObject({ isSetupComplete: true })
})

it('a reset whose day is over is carried out once, and signs out every device', async () => {
  const [ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await befriend(ann, ben)
  const { client: anew } = await signedInAnew(ann)
  await reset(anew, ann)
  await resetDue(await authIn(limits.resetWaitHours - 1))
  expect(await readUser(ann.client)).toMatchObject({ isSetupComplete: true })

  const processes = await Promise.all([1, 2].map(() => authIn(limits.resetWaitHours + 1)))
  await Promise.all(processes.map((ctx) => resetDue(ctx)))
  for (const client of [ann.client, anew])
    await eventually(async () => expect(await client.call(auth.getUser)).toMatchObject({ status: 401 }))
  const { client, user } = await signedInAnew(ann)
  expect(user).toMatchObject({ isSetupComplete: false })
  expect(user).not.toHaveProperty('resetDueAt')
  expect(user.userCode).not.toBe(ann.user.userCode)
  const row = await withDatabase(stack, 'auth', (database) =>
    database.collection<{ _id: string; pinVersion: number }>('users').findOne({ _id: user.id }),
  )
  expect(row).toMatchObject({ pinVersion: 2, pinMac: null })
  await client.ok(lockRoutes.setupNumericPassword, { body: { numericPassword: '97531' } })
  await enter(client, '97531')
  expect(await client.ok(listConversations)).toEqual([])
})

it('a session in which the number was right or chosen resets at once, also while another reset waits', async () => {
  const ann = await unlockedPerson(stack)
  const { client: anew } = await signedInAnew(ann)
  await reset(anew, ann)
  await ann.client.ok(lockRoutes.lock)
  expect(await reset(ann.client, ann)).toEqual({ ok: true })
  expect(await readUser(ann.client)).toMatchObject({ isSetupComplete: false })
  expect(await readUser(ann.client)).not.toHaveProperty('resetDueAt')

  await ann.client.ok(lockRoutes.setupNumericPassword, { body: { numericPassword: '97531' } })
  expect(await reset(ann.client, ann)).toEqual({ ok: true })
})

it('an account without a number is reset at once', async () => {
  const ann = await registerPerson(stack)
  const { client, user } = await signedInAnew(ann)
  expect(user).not.toHaveProperty('resetWaits')
  expect(await reset(client, ann)).toEqual({ ok: true })
})

it('a new account password by mail cancels a waiting reset', async () => {
  const ann = await unlockedPerson(stack)
  const { client: anew } = await signedInAnew(ann)
  await reset(anew, ann)
  await ann.client.ok(requestPasswordReset, { body: { email: ann.user.email } })
  const token = await readMailToken(stack.addresses.inboxUrl, ann.user.email, '/reset-password', 1)
  ann.password = 'another horse'
  await ann.client.ok(resetPassword, { body: { token, newPassword: ann.password } })
  expect((await signedInAnew(ann)).user).not.toHaveProperty('resetDueAt')
  expect((await signedInAnew(ann)).user).toMatchObject({ isSetupComplete: true })
})

it('in discreet mode a reset after a new sign-in waits, and the locked account does not show it later', async () => {
  const ann = await unlockedPerson(stack)
  await ann.client.ok(lockRoutes.setDiscreetMode, { body: { isDiscreet: true } })
  const { client: anew, user } = await signedInAnew(ann)
  expect(user).toMatchObject({ resetWaits: true })
  const { dueAt } = await reset(anew, ann)
  expect(await anew.ok(auth.getUser)).toMatchObject({ resetDueAt: dueAt, resetWaits: true })
  await signedInLongAgo(stack, { client: anew })
  expect(Object.keys(await anew.ok(auth.getUser)).join()).not.toMatch(/reset/i)
})
