import * as auth from '@sumlock/contracts/auth-routes'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import * as mailLinks from '@sumlock/contracts/mail-link-routes'
import { Client } from '@sumlock/deployment/api-client'
import { mailsFor } from '@sumlock/testing/inbox'
import { registerPerson, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { proveEmail } from '@sumlock/testing/prove-email'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import { readMailToken } from '@sumlock/testing/mail-token'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

const next = 'another horse'
const signIn = ({ username }: Person, password: string, client = new Client(stack)) =>
  client.call(auth.login, { body: { username, password } })
const change = ({ client }: Person, password: string, newPassword = next) =>
  client.call(auth.changePassword, { body: { password, newPassword } })

it('changes the account password, ends the other sessions, and tells the owner by mail', async () => {
  const person = await unlockedPerson(stack)
  await proveEmail(stack, person)
  const other = new Client(stack)
  await signIn(person, person.password, other)
  expect(await change(person, 'not it')).toMatchObject({ status: 403, body: { code: 'wrong_credentials' } })
  expect(await other.call(auth.getUser)).toMatchObject({ status: 200 })

  expect(await change(person, person.password)).toMatchObject({ status: 200 })
  await eventually(async () => expect(await other.call(auth.getUser)).toMatchObject({ status: 401 }))
  expect(await person.client.call(auth.getUser)).toMatchObject({ status: 200 })
  expect(await signIn(person, person.password)).toMatchObject({ status: 403 })
  expect(await signIn(person, next)).toMatchObject({ status: 200 })
  await eventually(async () => {
    const mails = await mailsFor(stack.addresses.inboxUrl, person.user.email)
    expect(mails.map(({ subject }) => subject)).toContain('Your password was changed')
  })
})

it('ends the links that reset the account password, which somebody else may have read', async () => {
  const person = await unlockedPerson(stack)
  const { email } = person.user
  await new Client(stack).ok(mailLinks.requestPasswordReset, { body: { email } })
  const token = await readMailToken(stack.addresses.inboxUrl, email, '/reset-password')
  expect(await change(person, person.password)).toMatchObject({ status: 200 })
  const reset = { body: { token, newPassword: 'the horse of a stranger' } }
  expect(await new Client(stack).call(mailLinks.resetPassword, reset)).toMatchObject({
    status: 403,
    body: { code: 'link_invalid' },
  })
  expect(await signIn(person, next)).toMatchObject({ status: 200 })
})

it('refuses a change of the account password while the session is locked, unless no PIN is set', async () => {
  const person = await unlockedPerson(stack)
  await person.client.ok(lockRoutes.lock)
  expect(await change(person, person.password)).toMatchObject({ status: 423, body: { code: 'locked' } })
  expect(await signIn(person, person.password)).toMatchObject({ status: 200 })
  const withoutPin = await registerPerson(stack)
  expect(await change(withoutPin, withoutPin.password)).toMatchObject({ status: 200 })
})

it('of several changes of the account password at once, one succeeds', async () => {
  const person = await unlockedPerson(stack)
  person.client.keptToken = await person.client.csrfToken()
  const passwords = ['first horse', 'second horse', 'third horse']
  const answers = await Promise.all(passwords.map((one) => change(person, person.password, one)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403])
  for (const [index, one] of passwords.entries())
    expect(await signIn(person, one)).toMatchObject({ status: answers[index]?.status })
})
