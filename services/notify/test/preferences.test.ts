import * as auth from '@sumlock/contracts/auth-routes'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import {
  getNotificationPreferences as read,
  setNotificationPreferences as replace,
} from '@sumlock/contracts/notification-routes'
import { Client } from '@sumlock/deployment/api-client'
import { withDatabase } from '@sumlock/testing/database'
import { mailsFor } from '@sumlock/testing/inbox'
import { unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { proveEmail } from '@sumlock/testing/prove-email'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'

const signInSubject = 'New sign-in to your account'
let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

const signIn = ({ username, password }: Person) =>
  new Client(stack).ok(auth.login, { body: { username, password } })
const subjectsFor = async ({ user }: Person) =>
  (await mailsFor(stack.addresses.inboxUrl, user.email)).map(({ subject }) => subject)

it('mails about sign-ins are sent until their owner turns them off, without an effect on others', async () => {
  const [person, other] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await proveEmail(stack, person)
  expect(await person.client.ok(read)).toEqual({ signInMails: true })
  await signIn(person)
  await eventually(async () => expect(await subjectsFor(person)).toContain(signInSubject))

  expect(await person.client.ok(replace, { body: { signInMails: false } })).toEqual({ signInMails: false })
  expect(await person.client.ok(read)).toEqual({ signInMails: false })
  expect(await other.client.ok(read)).toEqual({ signInMails: true })
  const countNotWanted = () =>
    withDatabase(stack, 'notify', (database) =>
      database
        .collection('deliveries')
        .countDocuments({ state: 'expired', lastError: 'not wanted', sealed: null }),
    )
  const before = await countNotWanted()
  await signIn(person)
  await eventually(async () => expect(await countNotWanted()).toBeGreaterThan(before))
  // Mails about changes of the account are still sent.
  const body = { password: person.password, newPassword: 'another horse' }
  await person.client.ok(auth.changePassword, { body })
  await eventually(async () => expect(await subjectsFor(person)).toContain('Your password was changed'))
  expect((await subjectsFor(person)).filter((subject) => subject === signInSubject)).toHaveLength(1)
  expect(await subjectsFor(other)).not.toContain(signInSubject)
})

it('mails about sign-ins cannot be turned off by a locked session', async () => {
  const person = await unlockedPerson(stack)
  await person.client.ok(lockRoutes.lock)
  const call = person.client.call(replace, { body: { signInMails: false } })
  expect(await call).toMatchObject({ status: 423, body: { code: 'locked' } })
  expect(await person.client.call(read)).toMatchObject({ status: 423 })
})
