import * as account from '@sumlock/contracts/account-routes'
import * as auth from '@sumlock/contracts/auth-routes'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import { limits } from '@sumlock/contracts/limits'
import * as links from '@sumlock/contracts/mail-link-routes'
import { Client } from '@sumlock/deployment/api-client'
import { freshPhone } from '@sumlock/testing/fresh-phone'
import { mailsFor } from '@sumlock/testing/inbox'
import { readUser, registerPerson, unlockedPerson } from '@sumlock/testing/people'
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

const newAddress = ({ username }: Person) => `new.${username}@example.com`
const askFor = ({ client, password }: Person, email: string) =>
  client.call(account.changeEmail, { body: { password, email } })
const tokenFor = (address: string, page = '/verify-email', count = 1) =>
  readMailToken(stack.addresses.inboxUrl, address, page, count)
const confirm = (token: string) => new Client(stack).call(links.verifyEmail, { body: { token } })
const subjectsTo = async (address: string) =>
  (await mailsFor(stack.addresses.inboxUrl, address)).map(({ subject }) => subject)
const linkInvalid = { status: 403, body: { code: 'link_invalid' } }

it('the full name changes with the account password of an unlocked session, and not without', async () => {
  const { client, password, user } = await unlockedPerson(stack)
  const change = (entered: string) =>
    client.call(account.changeFullName, { body: { password: entered, fullName: '  Ada King ' } })
  expect(await change('not it')).toMatchObject({ status: 403, body: { code: 'wrong_credentials' } })
  expect((await readUser(client)).fullName).toBe(user.fullName)
  expect(await change(password)).toMatchObject({ status: 200 })
  expect((await readUser(client)).fullName).toBe('Ada King')
  await client.ok(lockRoutes.lock)
  expect(await change(password)).toMatchObject({ status: 423 })
})

it('a new e-mail address counts once its link is opened, and the old address is told', async () => {
  const person = await unlockedPerson(stack)
  const { client, user } = person
  const next = newAddress(person)
  await proveEmail(stack, person)
  await client.ok(links.requestPasswordReset, { body: { email: user.email } })
  const resetToken = await tokenFor(user.email, '/reset-password')
  expect(await askFor(person, next)).toMatchObject({ status: 200 })
  const token = await tokenFor(next)
  expect(await readUser(client)).toMatchObject({ email: user.email, isEmailVerified: true })
  expect(await subjectsTo(user.email)).not.toContain('Your e-mail address was changed')

  expect(await confirm(token)).toMatchObject({ status: 200 })
  expect(await readUser(client)).toMatchObject({ email: next, isEmailVerified: true })
  // A scanner of mails may have opened it first.
  expect(await confirm(token)).toMatchObject({ status: 200 })
  await eventually(async () =>
    expect(await subjectsTo(user.email)).toContain('Your e-mail address was changed'),
  )
  // Links to the old address are void.
  const reset = { body: { token: resetToken, newPassword: 'another horse' } }
  expect(await new Client(stack).call(links.resetPassword, reset)).toMatchObject(linkInvalid)
  expect(await confirm(await tokenFor(user.email))).toMatchObject(linkInvalid)
})

it('a change to another address ends the link to the previous one, and a change to the same address does not', async () => {
  const person = await unlockedPerson(stack)
  const next = newAddress(person)
  await askFor(person, `wrong.${next}`)
  const wrong = await tokenFor(`wrong.${next}`)
  await askFor(person, next)
  const first = await tokenFor(next)
  await askFor(person, next)
  const second = await tokenFor(next, '/verify-email', 2)
  expect(await confirm(wrong)).toMatchObject(linkInvalid)
  for (const token of [first, second]) expect(await confirm(token)).toMatchObject({ status: 200 })
  expect(await readUser(person.client)).toMatchObject({ email: next, isEmailVerified: true })
})

it('of two accounts that confirm one e-mail address at once, one gets it and the other keeps its own', async () => {
  const people = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  const [first, second] = people
  const wanted = newAddress(first)
  await first.client.ok(account.changeEmail, { body: { password: first.password, email: wanted } })
  const firstToken = await tokenFor(wanted)
  const shouted = wanted.replace('new', 'NEW')
  expect(await askFor(second, shouted)).toMatchObject({ status: 200 })
  const answers = await Promise.all([firstToken, await tokenFor(shouted)].map(confirm))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
  // The answer equals the one for an expired link, so it does not reveal that another account has the address.
  expect(answers.find(({ status }) => status === 403)).toMatchObject(linkInvalid)
  const emails = await Promise.all(people.map(async ({ client }) => (await readUser(client)).email))
  const changed = emails.filter((email) => email.toLowerCase() === wanted)
  expect(changed).toHaveLength(1)
  expect([first.user.email, second.user.email]).toContain(emails.find((email) => !changed.includes(email)))
})

it('a new account password voids a change of the e-mail address that was requested before', async () => {
  const person = await unlockedPerson(stack)
  const { client, password, user } = person
  const next = newAddress(person)
  await askFor(person, next)
  const token = await tokenFor(next)
  await client.ok(auth.changePassword, { body: { password, newPassword: 'another horse' } })
  expect(await confirm(token)).toMatchObject(linkInvalid)

  const again = { ...person, password: 'another horse' }
  await askFor(again, next)
  const resetToken = await client
    .ok(links.requestPasswordReset, { body: { email: user.email } })
    .then(() => tokenFor(user.email, '/reset-password'))
  const secondToken = await tokenFor(next, '/verify-email', 2)
  await client.ok(links.resetPassword, { body: { token: resetToken, newPassword: 'third horse' } })
  expect(await confirm(secondToken)).toMatchObject(linkInvalid)
})

it('an account gets five links for a change of its e-mail address within an hour, and the fifth stays valid', async () => {
  const person = await registerPerson(stack)
  const next = newAddress(person)
  let fifth = ''
  // Notify sends mails in parallel, so they may arrive in any order.
  for (let sent = 1; sent <= limits.mailsPerHour; sent += 1) {
    await askFor(person, next)
    fifth = await tokenFor(next, '/verify-email', sent)
  }
  expect(await askFor(person, next)).toMatchObject({ status: 200 })
  expect(await confirm(fifth)).toMatchObject({ status: 200 })
})

it('the own e-mail address may be written in another way', async () => {
  const ann = await unlockedPerson(stack)
  await proveEmail(stack, ann)
  const shouted = ann.user.email.replace('u', 'U')
  expect(await askFor(ann, shouted)).toMatchObject({ status: 200 })
  expect(await confirm(await tokenFor(shouted))).toMatchObject({ status: 200 })
  expect((await readUser(ann.client)).email).toBe(shouted)
})

it('the phone number changes to one that this browser has verified, once, and the owner is told', async () => {
  const person = await unlockedPerson(stack)
  await proveEmail(stack, person)
  const { client, password, user } = person
  const change = (phone: string) => client.call(account.changePhone, { body: { password, phone } })
  const verify = async (phone: string) => {
    const { demoCode = '' } = await client.ok(auth.requestPhoneCode, { body: { phone } })
    await client.ok(auth.verifyPhoneCode, { body: { code: demoCode } })
  }
  const notVerified = { status: 403, body: { code: 'phone_not_verified' } }
  const [next, other] = [freshPhone(), freshPhone()]
  expect(await change(next)).toMatchObject(notVerified)
  await verify(next)
  expect(await change(other)).toMatchObject(notVerified)
  const wrong = { body: { password: 'not it', phone: next } }
  expect(await client.call(account.changePhone, wrong)).toMatchObject({ status: 403 })
  expect((await readUser(client)).phone).toBe(user.phone)

  const cookies = new Map(client.cookies)
  expect(await change(next)).toMatchObject({ status: 200 })
  expect((await readUser(client)).phone).toBe(next)
  // The proof is used up, even for a browser that kept its cookie.
  for (const [name, value] of cookies) client.cookies.set(name, value)
  expect(await change(next)).toMatchObject(notVerified)
  await eventually(async () =>
    expect(await subjectsTo(user.email)).toContain('Your phone number was changed'),
  )
})
