import { randomUUID } from 'node:crypto'
import { deleteAccount, keepAccount } from '@sumlock/contracts/account-routes'
import { listUsers } from '@sumlock/contracts/admin-routes'
import * as auth from '@sumlock/contracts/auth-routes'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import { reportConversation, setConversationState } from '@sumlock/contracts/conversation-state-routes'
import { putKnownKey } from '@sumlock/contracts/known-key-routes'
import { limits } from '@sumlock/contracts/limits'
import {
  listConversations,
  listMessages,
  sendMessage,
  startConversation,
} from '@sumlock/contracts/messaging-routes'
import { setNotificationPreferences } from '@sumlock/contracts/notification-routes'
import { purgeOwners } from '@sumlock/contracts/internal-routes'
import { deadLetterConfig, topics } from '@sumlock/contracts/topics'
import { Client } from '@sumlock/deployment/api-client'
import { databaseOwners } from '@sumlock/deployment/provision'
import { withDatabase } from '@sumlock/testing/database'
import { mailsFor } from '@sumlock/testing/inbox'
import { sendMedia, someBytes, storedObjects } from '@sumlock/testing/media'
import { adminPerson, befriend, makePremium, unlock, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { proveEmail } from '@sumlock/testing/prove-email'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { connect, nextEvent, nextState } from '@sumlock/testing/socket'
import { eventually } from '@sumlock/testing/wait'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { purgeDue } from '../src/use-cases/purge-due.ts'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

const dayMs = 86_400_000
const signIn = async ({ username, password }: Person, client = new Client(stack)) => ({
  client,
  user: await client.ok(auth.login, { body: { username, password } }),
})
const remove = ({ client, password }: Person) => client.call(deleteAccount, { body: { password } })
const say = ({ client }: Person, conversationId: string, clientMessageId?: string) =>
  client.call(sendMessage, { body: { conversationId, content: 'hello', clientMessageId } })
/** Sends twice at once, because the gateway gives requests to the two messaging processes in turn. */
const expectRefused = async (person: Person, conversationId: string) => {
  for (const answer of await Promise.all([say(person, conversationId), say(person, conversationId)]))
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'person_gone', error: 'This person is no longer here.' },
    })
}
const rowOf = async ({ client }: Person) => (await client.ok(listConversations))[0]

it('a deletion asks for the account password only, ends all sessions, and is cancelled by one call after a sign-in', async () => {
  const person = await unlockedPerson(stack)
  await proveEmail(stack, person)
  const elsewhere = await signIn(person)
  await person.client.ok(lockRoutes.lock)
  const wrong = { body: { password: 'not it' } }
  expect(await person.client.call(deleteAccount, wrong)).toMatchObject({
    body: { code: 'wrong_credentials' },
  })
  expect(await elsewhere.client.call(auth.getUser)).toMatchObject({ status: 200 })

  const cookies = new Map(person.client.cookies)
  expect(await remove(person)).toMatchObject({ status: 200 })
  expect(person.client.cookies.get('sid') ?? '').toBe('')
  for (const [name, value] of cookies) person.client.cookies.set(name, value)
  for (const { client } of [person, elsewhere])
    await eventually(async () => expect(await client.call(auth.getUser)).toMatchObject({ status: 401 }))
  await eventually(async () => {
    const mails = await mailsFor(stack.addresses.inboxUrl, person.user.email)
    expect(mails.map(({ subject }) => subject)).toContain('Your account will be deleted')
  })

  const back = await signIn(person)
  const dueMs = Date.parse(back.user.deletionScheduledFor ?? '') - Date.now()
  expect(dueMs).toBeGreaterThan((limits.deletionDelayDays - 0.01) * dayMs)
  expect(dueMs).toBeLessThanOrEqual(limits.deletionDelayDays * dayMs)
  const pin = { body: { numericPassword: person.pin } }
  expect(await back.client.call(lockRoutes.verifyNumericPassword, pin)).toMatchObject({
    status: 403,
    body: { code: 'deletion_scheduled' },
  })
  expect(await back.client.call(listConversations)).toMatchObject({ status: 423 })

  // A second request does not move the date.
  expect(await remove({ ...person, client: back.client })).toMatchObject({ status: 200 })
  const again = await signIn(person)
  expect(again.user.deletionScheduledFor).toBe(back.user.deletionScheduledFor)

  expect(await again.client.call(keepAccount)).toMatchObject({ status: 200 })
  expect(await again.client.call(keepAccount)).toMatchObject({ status: 200 })
  expect(await again.client.ok(auth.getUser)).not.toHaveProperty('deletionScheduledFor')
  expect(await again.client.call(lockRoutes.verifyNumericPassword, pin)).toMatchObject({ status: 200 })
})

it('a deletion requested without the number only locks the sessions that had it, and one of these can keep the account', async () => {
  const ann = await unlockedPerson(stack)
  const [anew, other] = [await signIn(ann), await signIn(ann)]
  expect(await remove({ ...ann, client: anew.client })).toMatchObject({ status: 200 })
  await eventually(async () => expect(await other.client.call(auth.getUser)).toMatchObject({ status: 401 }))
  expect(await ann.client.ok(auth.getUser)).toMatchObject({ unlockedUntil: null })
  const entry = { body: { numericPassword: ann.pin } }
  expect(await ann.client.call(lockRoutes.verifyNumericPassword, entry)).toMatchObject({
    body: { code: 'deletion_scheduled' },
  })
  await ann.client.ok(keepAccount)
  expect(await ann.client.call(lockRoutes.verifyNumericPassword, entry)).toMatchObject({ status: 200 })
})

it('while a person is leaving, the partner is told at once, keeps the messages and cannot send, until the account is kept', async () => {
  const [ann, ben, cal, admin] = await Promise.all([
    unlockedPerson(stack),
    unlockedPerson(stack),
    unlockedPerson(stack),
    adminPerson(stack),
  ])
  const { id } = await befriend(ann, ben)
  await makePremium(admin, ann)
  await say(ben, id, '5f0c3a52-77c9-4a6e-9d3e-1f2a3b4c5d6e')
  const live = connect(ben)
  await nextState(live, ({ connected }) => connected)
  const told = nextEvent(live, ({ type }) => type === 'limits_changed')

  expect(await remove(ann)).toMatchObject({ status: 200 })
  await told
  live.close()
  // The event may still be that of the premium.
  await eventually(async () =>
    expect(await rowOf(ben)).toMatchObject({
      canSend: false,
      lastMessage: { content: 'hello' },
      otherUser: { username: ann.username, isGone: true },
    }),
  )
  // Each messaging process remembers what it read for a second.
  await eventually(() => expectRefused(ben, id))
  expect(await say(ben, id, '5f0c3a52-77c9-4a6e-9d3e-1f2a3b4c5d6e')).toMatchObject({ status: 200 })
  const texts = (await ben.client.ok(listMessages, { params: { id } })).map(({ content }) => content)
  expect(texts).toContain('hello')
  const start = { body: { userCode: ann.user.userCode } }
  expect(await cal.client.call(startConversation, start)).toMatchObject({ status: 404 })

  const back = { ...ann, ...(await signIn(ann)) }
  await back.client.ok(keepAccount)
  await unlock(back)
  await eventually(async () => expect((await rowOf(ben))?.otherUser).not.toHaveProperty('isGone'))
  for (const person of [ben, back])
    await eventually(async () => expect(await say(person, id)).toMatchObject({ status: 201 }))
  expect(await cal.client.call(startConversation, start)).toMatchObject({ status: 201 })
})

describe('a deleted account that was not kept', () => {
  it('LEGAL-04: is purged after 14 days, acknowledged by every service a day later, and nowhere in any database after 30', async () => {
    const [ann, ben, admin] = await Promise.all([
      unlockedPerson(stack, { fullName: 'Canary of a purged person' }),
      unlockedPerson(stack),
      adminPerson(stack),
    ])
    const { id } = await befriend(ann, ben)
    await makePremium(admin, ann)
    const content = 'canary of a purged person: under the mat'
    const params = { params: { id } }
    await ann.client.ok(sendMessage, { body: { conversationId: id, content } })
    const { mediaUrl } = await sendMedia(ann.client, id, someBytes(1000))
    const mediaKey = mediaUrl.slice(-24)
    await say(ben, id)
    await ann.client.ok(setConversationState, { ...params, body: { isMuted: true } })
    await ann.client.ok(reportConversation, { ...params, body: { note: `canary note of ${ann.username}` } })
    await ben.client.ok(reportConversation, { ...params, body: {} })
    await ann.client.ok(setNotificationPreferences, { body: { signInMails: false } })
    const knownKey = `canary-of-a-known-key-of-${randomUUID()}`
    await ann.client.ok(putKnownKey, {
      params: { name: 'n'.repeat(43) },
      body: { version: 1, box: knownKey },
    })
    await admin.client.ok(listUsers, { query: { q: ann.username } })
    const canaries = [
      ...[content, ann.username, ann.phone, ann.user.email, ann.user.fullName],
      ...['canary note', knownKey, mediaKey, ann.user.id],
    ]
    await eventually(async () => expect(await foundIn(canaries)).toEqual(expect.arrayContaining(canaries)))
    await remove(ann)
    await eventually(() => expectRefused(ben, id))
    const kept = (await textsOf(ben, id)).slice(2)
    const objects = async () => (await storedObjects(stack)).filter((key) => key.startsWith(mediaKey))
    expect(await objects()).toHaveLength(1)
    const back = await signIn(ann)

    await at(13.9, purgeDue)
    expect(await back.client.call(auth.getUser)).toMatchObject({ status: 200 })
    await at(14.1, (ctx) => Promise.all([purgeDue(ctx), purgeDue(ctx)]))
    await eventually(async () => expect(await back.client.call(auth.getUser)).toMatchObject({ status: 401 }))
    const again = { body: { username: ann.username, password: ann.password } }
    expect(await new Client(stack).call(auth.login, again)).toMatchObject({
      body: { code: 'wrong_credentials' },
    })
    await eventually(async () => expect(await textsOf(ben, id)).toEqual(['', '', ...kept]))
    // The erasure ends long before the request is repeated on the next day.
    await eventually(async () => expect(await mediaRows(ann)).toBe(0))
    expect(await objects()).toEqual([])
    await eventually(async () => {
      expect(await rowOf(ben)).toMatchObject({
        canSend: false,
        otherUser: { username: 'Unknown User', userCode: '', isGone: true },
      })
    })
    await expectRefused(ben, id)

    await at(15.2, purgeDue)
    await eventually(async () => {
      const row = await purgedRow(ann)
      expect(row?.['acknowledgedBy']).toEqual(expect.arrayContaining([...purgeOwners]))
      expect(row).toHaveProperty('doneAt')
    })
    const done = await purgedRow(ann)
    await at(30, purgeDue)
    expect(await purgedRow(ann)).toEqual(done)
    expect(await foundIn(canaries)).toEqual([])
    expect(await textsOf(ben, id)).toEqual(['', '', ...kept])
    // The payment stays, without the person.
    const grants = await withDatabase(stack, 'billing', (database) =>
      database.collection('grants').countDocuments({ source: 'admin' }),
    )
    expect(grants).toBeGreaterThan(0)
  })

  it('is out of the event log and its dead letters within 30 days of the request', () => {
    const lastRequestDay = limits.deletionDelayDays + 1
    for (const topic of topics)
      for (const config of [topic.config, deadLetterConfig(topic)])
        expect(lastRequestDay * dayMs + Number(config['retention.ms'])).toBeLessThanOrEqual(30 * dayMs)
  })
})

/** Runs with auth's own context, this many days later. */
async function at(days: number, run: (ctx: Context) => Promise<unknown>): Promise<void> {
  const { environment } = stack.service('auth')
  const ctx = await createContext(readConfig({ ...environment, CLOCK_OFFSET_MS: String(days * dayMs) }))
  try {
    await run(ctx)
  } finally {
    await ctx.close()
  }
}

const purgedRow = ({ user }: Person) =>
  withDatabase(stack, 'auth', (database) =>
    database.collection('purged_ids').findOne({ _id: user.id as never }),
  )

const mediaRows = ({ user }: Person) =>
  withDatabase(stack, 'messaging', (database) =>
    database.collection('media').countDocuments({ ownerId: user.id }),
  )

const textsOf = async ({ client }: Person, id: string) =>
  (await client.ok(listMessages, { params: { id } })).map(({ content }) => content)

/**
 * Returns the canaries that a document of any database contains. The id of the purge itself is left out, and so are
 * collections that expire by themselves (phone codes within an hour, published events within seven days).
 */
async function foundIn(canaries: readonly string[]): Promise<string[]> {
  const found = new Set<string>()
  for (const database of databaseOwners)
    await withDatabase(stack, database, async (connection) => {
      for (const { name } of await connection.listCollections()) {
        if (['purged_ids', 'phone_verifications', 'phone_code_limits'].includes(name)) continue
        const filter = name === 'outbox' ? { publishedAt: { $exists: false } } : {}
        const text = JSON.stringify(await connection.collection(name).find(filter).toArray())
        for (const canary of canaries) if (text.includes(canary)) found.add(canary)
      }
    })
  return canaries.filter((canary) => found.has(canary))
}
