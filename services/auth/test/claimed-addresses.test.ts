import * as account from '@sumlock/contracts/account-routes'
import * as auth from '@sumlock/contracts/auth-routes'
import * as links from '@sumlock/contracts/mail-link-routes'
import { Client } from '@sumlock/deployment/api-client'
import { withDatabase } from '@sumlock/testing/database'
import { mailsFor } from '@sumlock/testing/inbox'
import { readMailToken } from '@sumlock/testing/mail-token'
import { readUser, registerPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { proveEmail } from '@sumlock/testing/prove-email'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

const stored = <T>(work: Parameters<typeof withDatabase<T>>[2]) => withDatabase(stack, 'auth', work)
const claimant = (email: string) => registerPerson(stack, { email })
const tokenFor = (address: string, page: string, count = 1) =>
  readMailToken(stack.addresses.inboxUrl, address, page, count)
const verify = (token: string) => new Client(stack).call(links.verifyEmail, { body: { token } })
const reset = (token: string) =>
  new Client(stack).call(links.resetPassword, { body: { token, newPassword: 'another horse' } })
const askForReset = (email: string) => new Client(stack).ok(links.requestPasswordReset, { body: { email } })
const linkInvalid = { status: 403, body: { code: 'link_invalid' } }

/** Returns the mails to an address, ignoring case, once every requested letter has been sent. */
async function mailsTo(email: string) {
  await eventually(async () => {
    const waiting = await stored((database) =>
      database.collection('mail_requests').countDocuments({ emailKey: email.toLowerCase() }),
    )
    expect(waiting).toBe(0)
  })
  // The registration requests a letter, which is sent after the earlier ones.
  const last = await registerPerson(stack)
  await tokenFor(last.user.email, '/verify-email')
  const spellings = [email, email.toUpperCase()]
  const mails = await Promise.all(spellings.map((each) => mailsFor(stack.addresses.inboxUrl, each)))
  return mails.flat()
}
const told = 'Someone tried to use your e-mail address'

it('answers a registration and a change with a proven address as with a free one, and tells its owner once a day', async () => {
  const owner = await registerPerson(stack, { fullName: 'Ada King' })
  const { email } = owner.user
  await proveEmail(stack, owner)
  const taken = await claimant(email.toUpperCase())
  const free = await registerPerson(stack)
  const shape = ({ user }: Person) => ({ ...Object.fromEntries(Object.keys(user).map((key) => [key, true])) })
  expect(shape(taken)).toEqual(shape(free))
  expect(taken.user).toMatchObject({ email: email.toUpperCase(), isEmailVerified: false })
  expect(await taken.client.ok(links.resendVerification)).toEqual(
    await free.client.ok(links.resendVerification),
  )
  const change = ({ client, password }: Person, to: string) =>
    client.call(account.changeEmail, { body: { password, email: to } })
  const answers = [await change(free, email), await change(free, `free.${email}`)]
  expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(
    Array(2).fill({ status: 200, body: { ok: true } }),
  )
  const mails = await mailsTo(email)
  expect(mails.map(({ subject }) => subject)).toEqual(['Confirm your e-mail address', told])
  expect(mails[1]?.text).toContain('Ada King')
  expect(await readUser(taken.client)).toMatchObject({ isEmailVerified: false })
})

it('of several accounts that claim an address, the first whose link is opened gets it, and the others get no mail', async () => {
  const first = await registerPerson(stack)
  const { email } = first.user
  const ofFirst = await tokenFor(email, '/verify-email')
  const second = await claimant(email)
  const ofSecond = await tokenFor(email, '/verify-email', 2)
  expect(await verify(ofSecond)).toMatchObject({ status: 200 })
  expect(await verify(ofFirst)).toMatchObject(linkInvalid)
  expect(await verify(ofSecond)).toMatchObject({ status: 200 })
  expect(await readUser(second.client)).toMatchObject({ email, isEmailVerified: true })
  expect(await readUser(first.client)).toMatchObject({ email, isEmailVerified: false })
  const proven = await stored((database) =>
    database.collection('users').countDocuments({ emailKey: email, isEmailVerified: true }),
  )
  expect(proven).toBe(1)
})

it('of five links to one address that are opened at once, of five accounts, one proves it', async () => {
  const first = await registerPerson(stack)
  const { email } = first.user
  const tokens = [await tokenFor(email, '/verify-email')]
  while (tokens.length < 5) {
    await claimant(email)
    tokens.push(await tokenFor(email, '/verify-email', tokens.length + 1))
  }
  const answers = await Promise.all(tokens.map(verify))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(4).fill(403)])
})

it('an address that its account gives up can be proven by another account that claims it', async () => {
  const owner = await registerPerson(stack)
  const { email } = owner.user
  await proveEmail(stack, owner)
  const other = await claimant(email)
  await owner.client.ok(account.changeEmail, {
    body: { password: owner.password, email: `new.${email}` },
  })
  expect(await verify(await tokenFor(`new.${email}`, '/verify-email'))).toMatchObject({ status: 200 })
  await other.client.ok(links.resendVerification)
  expect(await verify(await tokenFor(email, '/verify-email', 2))).toMatchObject({ status: 200 })
  expect(await readUser(other.client)).toMatchObject({ email, isEmailVerified: true })
})

describe('a reset of the password', () => {
  const resetMails = async (email: string) =>
    (await mailsTo(email)).filter(({ subject }) => subject === 'Reset your password')

  it('goes to the account that has proven the address, and to no older one that claims it', async () => {
    const older = await registerPerson(stack, { fullName: 'Mallory' })
    const { email } = older.user
    const owner = await registerPerson(stack, { email, fullName: 'Ada King' })
    expect(await verify(await tokenFor(email, '/verify-email', 2))).toMatchObject({ status: 200 })
    await askForReset(email)
    const mails = await resetMails(email)
    expect(mails.map(({ text }) => text.split('\n')[0])).toEqual(['Hello Ada King,'])
    expect(await reset(await tokenFor(email, '/reset-password'))).toMatchObject({ status: 200 })
    const signIn = ({ username }: Person) =>
      new Client(stack).call(auth.login, { body: { username, password: 'another horse' } })
    expect(await signIn(owner)).toMatchObject({ status: 200 })
    expect(await signIn(older)).toMatchObject({ status: 403 })
  })

  it('goes to the oldest three accounts while none has proven the address, without a name, and its link proves it', async () => {
    const people = [await registerPerson(stack, { fullName: 'Mallory' })]
    const { email } = (people[0] as Person).user
    while (people.length < 4) people.push(await registerPerson(stack, { email, fullName: 'Mallory' }))
    await askForReset(email)
    await tokenFor(email, '/reset-password', 3)
    const mails = await resetMails(email)
    expect(mails).toHaveLength(3)
    expect(JSON.stringify(mails)).not.toContain('Mallory')
    const asked = await stored((database) =>
      database
        .collection('mail_links')
        .find({ _id: { $regex: '^reset-password:' } as never, emailKey: email })
        .toArray(),
    )
    expect(asked.map((row) => String(row['userId'])).sort()).toEqual(
      people
        .slice(0, 3)
        .map(({ user }) => user.id)
        .sort(),
    )
    const tokens = mails.map(({ text }) =>
      new URL(/https?:\S+/.exec(text)?.[0] ?? '').searchParams.get('token'),
    )
    expect(await reset(tokens[1] ?? '')).toMatchObject({ status: 200 })
    for (const other of [tokens[0], tokens[2]]) expect(await reset(other ?? '')).toMatchObject(linkInvalid)
    const proven = await stored((database) =>
      database.collection('users').find({ emailKey: email, isEmailVerified: true }).toArray(),
    )
    expect(proven).toHaveLength(1)
  })
})

it('sends no notice of a sign-in or a change to an unproven address', async () => {
  const person = await registerPerson(stack)
  const { username, password, client } = person
  await new Client(stack).ok(auth.login, { body: { username, password } })
  await client.ok(auth.changePassword, { body: { password, newPassword: 'another horse' } })
  const mails = await mailsTo(person.user.email)
  expect(mails.map(({ subject }) => subject)).toEqual(['Confirm your e-mail address'])
})
