import * as auth from '@sumlock/contracts/auth-routes'
import { limits } from '@sumlock/contracts/limits'
import * as links from '@sumlock/contracts/mail-link-routes'
import { Client } from '@sumlock/deployment/api-client'
import { bounds } from '@sumlock/testing/bounds'
import { withDatabase } from '@sumlock/testing/database'
import { mailsFor } from '@sumlock/testing/inbox'
import { registerPerson, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import { readMailToken } from '@sumlock/testing/mail-token'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

const browser = () => new Client({ gatewayUrl: stack.gatewayUrl })
const stored = <T>(work: Parameters<typeof withDatabase<T>>[2]) => withDatabase(stack, 'auth', work)
const signIn = ({ username }: Person, password: string, client = browser()) =>
  client.call(auth.login, { body: { username, password } })

const invalid = (error: string) => ({ status: 403, body: { code: 'link_invalid', error } })

describe('the verification of an e-mail address', () => {
  const refused = invalid('Failed to verify email. The link may be invalid or expired.')
  const tokenOf = ({ user }: Person, count = 1) =>
    readMailToken(stack.addresses.inboxUrl, user.email, '/verify-email', count)
  const verify = (token: string) => browser().call(links.verifyEmail, { body: { token } })
  const isVerified = async ({ client }: Person) =>
    (await client.ok(auth.getUser)) as { isEmailVerified?: boolean }

  it('CALL-17: succeeds with the token that was mailed at the registration, from any browser, as often as the link is opened', async () => {
    const person = await registerPerson(stack)
    const token = await tokenOf(person)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(await isVerified(person)).toMatchObject({ isEmailVerified: false })
    expect(await verify(token)).toMatchObject({ status: 200, body: { message: expect.any(String) } })
    expect(await isVerified(person)).toMatchObject({ isEmailVerified: true })
    expect(await verify(token)).toMatchObject({ status: 200 })
    expect(await verify('invented')).toMatchObject(refused)
  })

  it('sends mails in HTML and text that lead to the first public origin', async () => {
    const { user } = await registerPerson(stack, { fullName: 'Ada & Co' })
    const token = await readMailToken(stack.addresses.inboxUrl, user.email, '/verify-email')
    const [mail] = await mailsFor(stack.addresses.inboxUrl, user.email)
    const link = `http://localhost:${new URL(stack.gatewayUrl).port}/verify-email?token=${token}`
    expect(mail).toMatchObject({
      subject: 'Confirm your e-mail address',
      text: expect.stringContaining(link),
    })
    expect(mail?.html).toContain(`href="${link}"`)
    // The name could be a stranger's text, because the address is not proven.
    expect(`${mail?.text} ${mail?.html}`.replaceAll(token, '')).not.toContain('Ada')
    expect(JSON.stringify([mail?.from, mail?.subject])).not.toMatch(/sumlock|messag|chat/i)
  })

  it('CALL-18 ENT-07 D-24: succeeds with each token that was mailed, in any order; hashes of them are stored', async () => {
    const person = await registerPerson(stack)
    const first = await tokenOf(person)
    expect(await person.client.call(links.resendVerification)).toMatchObject({ status: 200 })
    const second = await tokenOf(person, 2)
    const rows = await stored((database) =>
      database.collection('mail_links').find({ userId: person.user.id }).toArray(),
    )
    expect(rows).toHaveLength(2)
    for (const token of [first, second]) expect(JSON.stringify(rows)).not.toContain(token)
    expect(await verify(first)).toMatchObject({ status: 200 })
    expect(await verify(second)).toMatchObject({ status: 200 })
  })

  it('ENT-07: is refused after 24 hours', async () => {
    const person = await registerPerson(stack)
    const token = await tokenOf(person)
    const day = limits.emailVerificationLifetimeSeconds * 1000
    await stored(async (database) => {
      const row = await database.collection('mail_links').findOne({ userId: person.user.id })
      const left = (row?.['expiresAt'] as Date).getTime() - Date.now()
      expect(left).toBeGreaterThan(day - 60_000)
      expect(left).toBeLessThanOrEqual(day)
      await database
        .collection('mail_links')
        .updateOne({ userId: person.user.id }, { $set: { expiresAt: new Date(Date.now() - 1) } })
    })
    expect(await verify(token)).toMatchObject(refused)
  })

  it('is refused for an address that the account no longer has', async () => {
    const person = await registerPerson(stack)
    const token = await tokenOf(person)
    await stored((database) =>
      database
        .collection('users')
        .updateOne({ username: person.username }, { $set: { emailKey: `new.${person.user.email}` } }),
    )
    expect(await verify(token)).toMatchObject(refused)
    expect(await isVerified(person)).toMatchObject({ isEmailVerified: false })
  })

  it('is mailed five times an hour, the registration included; the next request has the same answer and sends nothing', async () => {
    const person = await registerPerson(stack)
    const answers = []
    // The registration sent the first one.
    let last = await tokenOf(person)
    for (let count = 2; count <= limits.mailsPerHour; count += 1) {
      answers.push(await person.client.ok(links.resendVerification))
      // Mails are sent in parallel, so the newest is certain only once all have arrived.
      last = await tokenOf(person, count)
    }
    expect(await person.client.ok(links.resendVerification)).toEqual(answers[0])
    expect(
      await stored((database) =>
        database.collection('mail_links').countDocuments({ userId: person.user.id }),
      ),
    ).toBe(limits.mailsPerHour)
    expect(await verify(last)).toMatchObject({ status: 200 })
  })

  it('is not mailed again to a verified address', async () => {
    const person = await registerPerson(stack)
    await verify(await tokenOf(person))
    expect(await person.client.call(links.resendVerification)).toMatchObject({ status: 200 })
    expect(
      await stored((database) =>
        database.collection('mail_links').countDocuments({ userId: person.user.id }),
      ),
    ).toBe(1)
  })
})

describe('a password reset', () => {
  const refused = invalid('Invalid reset link. Please request a new password reset.')
  const next = 'another horse'
  const request = (email: string) => browser().call(links.requestPasswordReset, { body: { email } })
  const reset = (token: string, newPassword = next) =>
    browser().call(links.resetPassword, { body: { token, newPassword } })
  const tokenFor = async ({ user }: Person, count = 1) => {
    await request(user.email.toUpperCase())
    return readMailToken(stack.addresses.inboxUrl, user.email, '/reset-password', count)
  }

  it('CALL-15 CALL-16: replaces the password by the mailed token, once', async () => {
    const person = await registerPerson(stack)
    const token = await tokenFor(person)
    expect(await reset(token, '12345')).toMatchObject({
      status: 400,
      body: { error: 'Password must be at least 6 characters long' },
    })
    expect(await reset(token)).toMatchObject({ status: 200 })
    expect(await signIn(person, person.password)).toMatchObject({ status: 403 })
    expect(await signIn(person, next)).toMatchObject({ status: 200 })
    expect(await reset(token)).toMatchObject(refused)
    expect(await reset('x')).toMatchObject(refused)
  })

  it('ends every session of the account, unlocked ones too, and tells the owner by mail', async () => {
    const person = await unlockedPerson(stack)
    const elsewhere = browser()
    await signIn(person, person.password, elsewhere)
    const body = { token: await tokenFor(person), newPassword: next }
    expect(await person.client.call(links.resetPassword, { body })).toMatchObject({ status: 200 })
    const ended = { status: 401, body: { code: 'no_session' } }
    expect(await person.client.call(auth.getUser)).toMatchObject(ended)
    await eventually(async () => expect(await elsewhere.call(auth.getUser)).toMatchObject(ended), {
      timeoutMs: bounds.lockMs,
    })
    await eventually(async () => {
      const subjects = (await mailsFor(stack.addresses.inboxUrl, person.user.email)).map(
        ({ subject }) => subject,
      )
      expect(subjects.filter((subject) => !subject.includes('sign-in')).sort()).toEqual([
        'Confirm your e-mail address',
        'Reset your password',
        'Your password was changed',
      ])
    })
  })

  it('succeeds once when two requests use its token at the same time', async () => {
    const person = await registerPerson(stack)
    const token = await tokenFor(person)
    const passwords = ['first horse', 'second horse']
    const answers = await Promise.all(passwords.map((password) => reset(token, password)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    const winner = answers[0]?.status === 200 ? 0 : 1
    expect(await signIn(person, passwords[winner] ?? '')).toMatchObject({ status: 200 })
    expect(await signIn(person, passwords[1 - winner] ?? '')).toMatchObject({ status: 403 })
  })

  it('ENT-08 D-24: is possible with each mailed token until one was used; they are stored as hashes, and are none of another kind', async () => {
    const person = await registerPerson(stack)
    const first = await tokenFor(person)
    const second = await tokenFor(person, 2)
    const rows = await stored((database) =>
      database.collection('mail_links').find({ userId: person.user.id }).toArray(),
    )
    expect(rows).toHaveLength(3)
    for (const token of [first, second]) expect(JSON.stringify(rows)).not.toContain(token)
    const forEmail = await readMailToken(stack.addresses.inboxUrl, person.user.email, '/verify-email')
    expect(await reset(forEmail)).toMatchObject(refused)
    expect(await reset(first)).toMatchObject({ status: 200 })
    expect(await reset(second)).toMatchObject(refused)
  })

  const ofReset = ({ user }: Person) => ({ _id: { $regex: `^reset-password:${user.id}:` } as never })

  it('ENT-08: is refused after 30 minutes', async () => {
    const person = await registerPerson(stack)
    const token = await tokenFor(person)
    const id = ofReset(person)
    await stored(async (database) => {
      const row = await database.collection('mail_links').findOne(id)
      expect((row?.['expiresAt'] as Date).getTime() - Date.now()).toBeLessThanOrEqual(30 * 60_000)
      await database.collection('mail_links').updateOne(id, { $set: { expiresAt: new Date(Date.now() - 1) } })
    })
    expect(await reset(token)).toMatchObject(refused)
  })

  /** The hash of the account's newest link. */
  const linkOf = async (person: Person) => {
    const row = await stored((database) =>
      database.collection('mail_links').findOne(ofReset(person), { sort: { expiresAt: -1 } }),
    )
    return row?.['tokenHash'] as string | undefined
  }
  const linkAfter = (person: Person, before: string | undefined) =>
    eventually(async () => {
      const link = await linkOf(person)
      if (link === undefined || link === before) throw new Error('There is no new link yet.')
      return link
    })

  it('ERR-12: is answered alike for an address with an account, without one, and after five mails in an hour', async () => {
    const person = await registerPerson(stack)
    const known = await request(person.user.email)
    expect(known).toMatchObject({
      status: 200,
      body: {
        message: "If an account with that email exists, you'll receive a password reset link shortly.",
      },
    })
    // Each link is created after its answer.
    let last = await linkAfter(person, undefined)
    for (let count = 2; count <= limits.mailsPerHour; count += 1) {
      await request(person.user.email)
      last = await linkAfter(person, last)
    }
    const unknown = await request('nobody.at.all@example.com')
    const sixth = await request(person.user.email)
    for (const { status, body } of [unknown, sixth])
      expect({ status, body }).toEqual({ status: known.status, body: known.body })
    // A sixth mail would have a link of its own, created before the link of a later request.
    const other = await registerPerson(stack)
    await request(other.user.email)
    await linkAfter(other, undefined)
    expect(await linkOf(person)).toBe(last)
    expect(await mailsFor(stack.addresses.inboxUrl, 'nobody.at.all@example.com')).toEqual([])
  })

  it('lets a person sign in at once who used up all tries with wrong passwords', async () => {
    const person = await registerPerson(stack)
    const token = await tokenFor(person)
    for (let count = 0; count < limits.signInFreeFailures; count += 1) {
      await signIn(person, `wrong ${count}`)
      await signIn(person, `wrong ${count}`, person.client)
    }
    expect(await signIn(person, person.password)).toMatchObject({ status: 429 })
    await reset(token)
    expect(await signIn(person, next)).toMatchObject({ status: 200 })
    expect(await signIn(person, next, person.client)).toMatchObject({ status: 200 })
  })
})
