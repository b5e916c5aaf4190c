import * as auth from '@sumlock/contracts/auth-routes'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import { legalVersion } from '@sumlock/contracts/legal-version'
import { limits } from '@sumlock/contracts/limits'
import { Client } from '@sumlock/deployment/api-client'
import { withDatabase } from '@sumlock/testing/database'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { mailsFor, readPhoneCode } from '@sumlock/testing/inbox'
import { registerPerson } from '@sumlock/testing/people'
import bcrypt from 'bcrypt'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

const account = (username: string, phone: string) => ({
  body: { username, phone, email: `${username}@example.com`, fullName: username, password: 'correct horse' },
})

async function askForCode(phone: string): Promise<{ client: Client; code: string }> {
  const client = new Client({ gatewayUrl: stack.gatewayUrl })
  const { demoCode = '' } = await client.ok(auth.requestPhoneCode, { body: { phone } })
  // All guesses use one token, because each new one would replace the previous one.
  client.keptToken = await client.csrfToken()
  return { client, code: demoCode }
}

it('sends one SMS with the code, which mentions only a calculator', async () => {
  const phone = '+15550100001'
  const { code } = await askForCode(phone)
  expect(await readPhoneCode(stack.addresses.inboxUrl, phone)).toBe(code)
  const mails = await mailsFor(stack.addresses.inboxUrl, `${phone}@sms.local`)
  expect(mails).toHaveLength(1)
  const shown = JSON.stringify([mails[0]?.from, mails[0]?.subject, mails[0]?.text])
  expect(shown).toMatch(/Calculator/)
  expect(shown).not.toMatch(/sumlock|messag|chat/i)
})

it('AUTH-10 PROD-03: refuses a registration without a proof of exactly this phone', async () => {
  const stranger = new Client({ gatewayUrl: stack.gatewayUrl })
  const refused = { status: 403, body: { code: 'phone_not_verified' } }
  expect(await stranger.call(auth.register, account('unproven', '+15550100003'))).toMatchObject(refused)
  const { client, code } = await askForCode('+15550100003')
  expect(await client.call(auth.register, account('unproven', '+15550100003'))).toMatchObject(refused)
  await client.ok(auth.verifyPhoneCode, { body: { code } })
  expect(await client.call(auth.register, account('unproven', '+15550100004'))).toMatchObject(refused)
  const proof = new Map(client.cookies)
  expect(await client.call(auth.register, account('unproven', '+15550100003'))).toMatchObject({ status: 201 })
  // The proof of a phone cannot be used for a second account.
  for (const [name, value] of proof) stranger.cookies.set(name, value)
  expect(await stranger.call(auth.register, account('unproven.two', '+15550100003'))).toMatchObject(refused)
})

it('ENT-02: refuses a taken name in any case of letters, and does not use up the proof', async () => {
  const { username } = await registerPerson(stack)
  const { client, code } = await askForCode('+15550100005')
  await client.ok(auth.verifyPhoneCode, { body: { code } })
  const taken = account(username.toUpperCase(), '+15550100005')
  expect(await client.call(auth.register, taken)).toMatchObject({
    status: 409,
    body: { code: 'username_taken' },
  })
  const free = { body: { ...taken.body, username: 'another.name' } }
  expect(await client.call(auth.register, free)).toMatchObject({
    status: 201,
    body: { username: 'another.name' },
  })
})

it('ENT-02: answers whether ten names are taken for one proof, and refuses an eleventh', async () => {
  const { username } = await registerPerson(stack)
  const { client, code } = await askForCode('+15550100006')
  await client.ok(auth.verifyPhoneCode, { body: { code } })
  const tryName = (name: string) => client.call(auth.register, account(name, '+15550100006'))
  for (let tried = 0; tried < limits.namesPerPhoneProof; tried += 1)
    expect(await tryName(username)).toMatchObject({ body: { code: 'username_taken' } })
  const refused = { status: 403, body: { code: 'phone_not_verified' } }
  expect(await tryName(username)).toMatchObject(refused)
  expect(await tryName(`${username}.free`)).toMatchObject(refused)
})

it('ENT-09 ENT-10 ENT-11 ENT-12: stores no secret in readable form, and returns none', async () => {
  const person = await registerPerson(stack)
  await person.client.ok(lockRoutes.setupNumericPassword, { body: { numericPassword: '730519' } })
  const stored = await withDatabase(stack, 'auth', async (database) => ({
    user: await database.collection('users').findOne({ username: person.username }),
    sessions: await database.collection('sessions').find({ userId: person.user.id }).toArray(),
  }))
  const text = JSON.stringify(stored)
  for (const secret of [person.password, '730519', person.client.cookies.get('sid') ?? 'none']) {
    expect(text).not.toContain(secret)
  }
  const user = await person.client.ok(auth.getUser)
  expect(JSON.stringify(user)).not.toMatch(/hash|\$2b\$|730519/i)
  expect(person.user).toMatchObject({
    isPhoneVerified: true,
    isEmailVerified: false,
    isSetupComplete: false,
    isAdmin: false,
    subscriptionType: 'free',
    subscriptionExpiresAt: null,
  })
})

it('LEGAL-03: stores the account password only as a bcrypt hash, the numeric password only as a keyed hash, and the version of the legal texts', async () => {
  const person = await registerPerson(stack)
  await person.client.ok(lockRoutes.setupNumericPassword, { body: { numericPassword: '730519' } })
  const user = await withDatabase(stack, 'auth', (database) =>
    database.collection('users').findOne({ username: person.username }),
  )
  expect(await bcrypt.compare(person.password, String(user?.['passwordHash']))).toBe(true)
  // The registration stores the present version, which the call itself does not contain.
  expect(user?.['legalVersion']).toBe(legalVersion)
  expect(user?.['pinMac']).toMatch(/^[\w+/=-]{40,}$/)
  expect(JSON.stringify(user)).not.toContain(person.password)
  expect(JSON.stringify(user)).not.toContain('730519')
})

it('STATE-05: replaces the session at a new sign-in, and ends it at logout', async () => {
  const { client, username, password } = await registerPerson(stack)
  const before = client.cookies.get('sid') ?? ''
  expect(await client.call(auth.login, { body: { username, password: 'wrong' } })).toMatchObject({
    status: 403,
    body: { code: 'wrong_credentials' },
  })
  await client.ok(auth.login, { body: { username: username.toUpperCase(), password } })
  const old = new Client({ gatewayUrl: stack.gatewayUrl })
  old.cookies.set('sid', before)
  expect(await old.call(auth.getUser)).toMatchObject({ status: 401, body: { code: 'no_session' } })
  const kept = client.cookies.get('sid') ?? ''
  await client.ok(auth.logout)
  old.cookies.set('sid', kept)
  expect(await old.call(auth.getUser)).toMatchObject({ status: 401 })
  expect(await client.call(auth.getUser)).toMatchObject({ status: 401 })
})
