import * as auth from '@sumlock/contracts/auth-routes'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import {
  listConversations,
  listMessages,
  sendMessage,
  startConversation,
} from '@sumlock/contracts/messaging-routes'
import { Client } from '@sumlock/deployment/api-client'
import { randomUUID } from 'node:crypto'
import { withDatabase } from '../kit/database.ts'
import { freshPhone } from '../kit/fresh-phone.ts'
import {
  adminPerson,
  befriend,
  makePremium,
  readUser,
  registerPerson,
  unlock,
  unlockedPerson,
} from '../kit/people.ts'
import type { Person } from '../kit/people.ts'
import { sharedStack } from '../kit/shared-stack.ts'
import type { RunningStack } from '../kit/shared-stack.ts'
import { eventually } from '../kit/wait.ts'

// Tests the specification's statements about entities and calls from a client's point of view. The titles name the
// facts.

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
let stack: RunningStack
let admin: Person
beforeAll(async () => {
  stack = await sharedStack()
  admin = await adminPerson(stack)
})

const text = (conversationId: string, content: string) => ({
  body: { conversationId, clientMessageId: randomUUID(), messageType: 'text' as const, content },
})

/** A browser that has proven its phone, and the body of its registration. */
async function provenPerson() {
  const phone = freshPhone()
  const client = new Client({ gatewayUrl: stack.gatewayUrl })
  const { demoCode = '' } = await client.ok(auth.requestPhoneCode, { body: { phone } })
  await client.ok(auth.verifyPhoneCode, { body: { code: demoCode } })
  const username = `r${randomUUID().slice(0, 12)}`
  const email = `${username}@example.com`
  return { client, body: { username, phone, email, fullName: 'A Person', password: 'correct horse' } }
}

it.concurrent(
  'ENT-01 ENT-10 ENT-11 ENT-12 ENT-13 ENT-15 CALL-13 D-36: a registration answers with a new user, free and not set up, whose phone is proven',
  async () => {
    const { client, body } = await provenPerson()
    const before = Date.now()
    const user = await client.ok(auth.register, { body })
    expect(user.id).toMatch(uuid)
    const { password: _secret, ...shown } = body
    expect(user).toMatchObject(shown)
    expect(user.isPhoneVerified).toBe(true)
    expect(user.isEmailVerified).toBe(false)
    expect(user.isSetupComplete).toBe(false)
    expect(user.isAdmin).toBe(false)
    expect(user.subscriptionType).toBe('free')
    expect(user.subscriptionExpiresAt).toBeNull()
    expect(Date.parse(user.createdAt)).toBeGreaterThanOrEqual(before - 1000)
    expect(Date.parse(user.createdAt)).toBeLessThanOrEqual(Date.now() + 1000)
  },
)

it.concurrent(
  'ENT-02 ENT-03 ENT-04 VAL-01: a registration without one of its fields, or with one out of bounds, is refused',
  async () => {
    const { client, body: whole } = await provenPerson()
    const refused = { status: 400, body: { code: 'invalid_request' } }
    for (const field of Object.keys(whole)) {
      const { [field]: _left, ...rest } = whole as Record<string, string>
      expect(await client.call(auth.register, { body: rest as typeof whole })).toMatchObject(refused)
    }
    const faulty = { username: 'a b', email: 'nobody', phone: '0123', fullName: '', password: '12345' }
    for (const [field, value] of Object.entries(faulty))
      expect(await client.call(auth.register, { body: { ...whole, [field]: value } })).toMatchObject(refused)
    expect(await client.call(auth.register, { body: whole })).toMatchObject({ status: 201 })
  },
)

it.concurrent(
  'PROD-04 ENT-05: every user has a userCode, and the database refuses a second user with it',
  async () => {
    const [ann, bob] = await Promise.all([registerPerson(stack), registerPerson(stack)])
    expect(ann.user.userCode).toMatch(/^[\dA-Z]{4}-[\dA-Z]{4}-[\dA-Z]$/)
    expect(bob.user.userCode).not.toBe(ann.user.userCode)
    await withDatabase(stack, 'auth', async (database) => {
      const users = database.collection('users')
      const stored = await users.findOne({ username: ann.username })
      expect(stored?.['userCode']).toBeTruthy()
      await expect(
        users.updateOne({ username: bob.username }, { $set: { userCode: stored?.['userCode'] as string } }),
      ).rejects.toMatchObject({ code: 11000 })
    })
  },
)

it.concurrent(
  'STATE-02 CALL-12 CALL-14 VAL-03: a sign-in answers with the user, a logout ends the session, and without one the user is 401',
  async () => {
    const { client, username, password, user } = await registerPerson(stack)
    expect(await client.call(auth.logout)).toMatchObject({ status: 200 })
    expect(await client.call(auth.getUser)).toMatchObject({ status: 401 })
    expect(await new Client({ gatewayUrl: stack.gatewayUrl }).call(auth.getUser)).toMatchObject({
      status: 401,
    })
    for (const body of [
      { username: '', password },
      { username, password: '' },
    ])
      expect(await client.call(auth.login, { body })).toMatchObject({ status: 400 })
    expect(await client.ok(auth.login, { body: { username, password } })).toMatchObject({
      id: user.id,
      username,
    })
  },
)

it.concurrent(
  'CALL-19 CALL-20 CALL-21 VAL-09: a numeric password of 4 to 12 digits is set once, then opens or is refused',
  async () => {
    const { client } = await registerPerson(stack)
    for (const numericPassword of ['123', '1234567890123', '12a4', ''])
      expect(await client.call(lockRoutes.setupNumericPassword, { body: { numericPassword } })).toMatchObject(
        {
          status: 400,
        },
      )
    await client.ok(lockRoutes.setupNumericPassword, { body: { numericPassword: '0042' } })
    expect((await readUser(client)).isSetupComplete).toBe(true)
    const wrong = await client.call(lockRoutes.verifyNumericPassword, { body: { numericPassword: '0043' } })
    expect(wrong.status).toBe(403)
    // On a busy machine, an entry may miss its turn after the wrong one.
    await eventually(() => client.ok(lockRoutes.verifyNumericPassword, { body: { numericPassword: '0042' } }))
    expect((await readUser(client)).unlockedUntil).not.toBeNull()
  },
)

it.concurrent(
  'PERM-01: the list is refused to a stranger and to a locked session, and open to free and premium',
  async () => {
    const stranger = new Client({ gatewayUrl: stack.gatewayUrl })
    expect(await stranger.call(listConversations)).toMatchObject({ status: 401 })
    const person = await registerPerson(stack)
    await person.client.ok(lockRoutes.setupNumericPassword, { body: { numericPassword: person.pin } })
    expect(await person.client.call(listConversations)).toMatchObject({ status: 423 })
    await unlock(person)
    expect(await person.client.call(listConversations)).toMatchObject({ status: 200, body: [] })
    await makePremium(admin, person)
    expect(await person.client.call(listConversations)).toMatchObject({ status: 200 })
    expect((await readUser(admin.client)).isAdmin).toBe(true)
  },
)

it.concurrent(
  'ENT-17 ENT-18 CALL-22 D-40: a conversation is of two existing users with a row each, and is listed with the other user and its times',
  async () => {
    const [ann, bob] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    const nobody = await ann.client.call(startConversation, { body: { userCode: '0000-0000-0' } })
    expect(nobody).toMatchObject({ status: 404, body: { code: 'unknown_user_code' } })
    const alone = await ann.client.call(startConversation, { body: { userCode: ann.user.userCode } })
    expect(alone).toMatchObject({ status: 400, body: { code: 'own_user_code' } })
    const { id } = await befriend(ann, bob)
    const rows = await withDatabase(stack, 'messaging', (database) =>
      database.collection('members').find({ conversationId: id }).toArray(),
    )
    const members = rows.map(({ personId, otherId }) => ({ personId, otherId }))
    expect(members).toHaveLength(2)
    expect(members).toContainEqual({ personId: ann.user.id, otherId: bob.user.id })
    expect(members).toContainEqual({ personId: bob.user.id, otherId: ann.user.id })
    const [row] = await ann.client.ok(listConversations)
    expect(row?.otherUser).toEqual({ id: bob.user.id, username: bob.username, userCode: bob.user.userCode })
    expect(row?.lastMessageAt).toBeNull()
    expect(Number.isNaN(Date.parse(row?.createdAt ?? ''))).toBe(false)
    await ann.client.ok(sendMessage, text(id, 'Hello'))
    const [later] = await bob.client.ok(listConversations)
    expect(later?.lastMessageAt).not.toBeNull()
    expect(later?.otherUser).toMatchObject({ username: ann.username, userCode: ann.user.userCode })
  },
)

it.concurrent(
  'ENT-20 ENT-24 CALL-27 VAL-21 VAL-22: a text is trimmed and stored with its ids and time, and refused when it is empty or has no conversation or sender',
  async () => {
    const [ann, bob] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    const { id } = await befriend(ann, bob)
    expect(await ann.client.call(sendMessage, text(id, ' \n '))).toMatchObject({ status: 400 })
    const { conversationId: _conversation, ...nowhere } = text(id, 'Hello').body
    expect(await ann.client.call(sendMessage, { body: nowhere as never })).toMatchObject({ status: 400 })
    const nobody = new Client({ gatewayUrl: stack.gatewayUrl })
    expect(await nobody.call(sendMessage, text(id, 'Hello'))).toMatchObject({ status: 401 })
    const sent = await ann.client.ok(sendMessage, text(id, '  Hello \n'))
    expect(sent.content).toBe('Hello')
    expect(sent.messageType).toBe('text')
    expect(sent.id).toMatch(uuid)
    expect(sent.conversationId).toBe(id)
    expect(sent.senderId).toBe(ann.user.id)
    expect(Math.abs(Date.parse(sent.createdAt) - Date.now())).toBeLessThan(60_000)
    const [stored] = await bob.client.ok(listMessages, { params: { id }, query: {} })
    expect(stored).toMatchObject({ id: sent.id, content: 'Hello', messageType: 'text' })
  },
)

it.concurrent(
  'ENT-21 D-16: a message of which nothing is said is a text, and gets an id of its sender',
  async () => {
    const [ann, bob] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    const { id } = await befriend(ann, bob)
    const sent = await ann.client.ok(sendMessage, { body: { conversationId: id, content: 'Hello' } })
    expect(sent.messageType).toBe('text')
    expect(sent.clientMessageId).toMatch(uuid)
  },
)

it.concurrent(
  'D-38: the count of the day is in the user of an unlocked session, and not in that of a locked one',
  async () => {
    const [ann, bob] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    const { id } = await befriend(ann, bob)
    await ann.client.ok(sendMessage, text(id, 'Hello'))
    expect(await readUser(ann.client)).toMatchObject({ dailyMessageCount: 1 })
    await ann.client.ok(lockRoutes.lock)
    const { email } = ann.user
    const locked = { email, dailyMessageCount: null, lastMessageDate: null }
    expect(await readUser(ann.client)).toMatchObject(locked)
  },
)

it.concurrent(
  'ENT-12 LIM-18 STATE-22: a year of premium lasts 365 times 24 hours, and counts while its end lies ahead',
  async () => {
    const person = await unlockedPerson(stack)
    const before = Date.now()
    await makePremium(admin, person)
    const { subscriptionType, subscriptionExpiresAt } = await readUser(person.client)
    expect(subscriptionType).toBe('premium')
    const lastsMs = Date.parse(subscriptionExpiresAt ?? '') - before
    expect(Math.abs(lastsMs - 365 * 24 * 3_600_000)).toBeLessThan(120_000)
  },
)
