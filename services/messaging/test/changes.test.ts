import { randomUUID } from 'node:crypto'
import { rotateUserCode } from '@sumlock/contracts/auth-routes'
import { exampleValues } from '@sumlock/contracts/example-values'
import { listChanges } from '@sumlock/contracts/changes-routes'
import {
  setConversationPreferences,
  setConversationState,
} from '@sumlock/contracts/conversation-state-routes'
import {
  deleteConversation,
  listConversations,
  markRead,
  sendMessage,
} from '@sumlock/contracts/messaging-routes'
import { withDatabase } from '@sumlock/testing/database'
import { begin } from '@sumlock/testing/many-messages'
import { adminPerson, befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import { memberKey } from '../src/domain/member.ts'
import { createPersonStore } from '../src/stores/person-store.ts'

let stack: RunningStack
let admin: Person
let ann: Person
let ben: Person
/** The conversation of Ann and Ben, both without premium. */
let id: string

beforeAll(async () => {
  stack = await sharedStack()
  ;[ann, ben, admin] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack), adminPerson(stack)])
  ;({ id } = await befriend(ann, ben))
})
beforeEach(() => quiet(ann, ben))

type Row = { _id: string }
const poll = ({ client }: Person, since: string | undefined = new Date().toISOString()) =>
  client.ok(listChanges, { query: { since } })
const nothing = { isWhole: false, conversations: [], removed: [] }
const say = ({ client }: Person, content = 'Hello') =>
  client.ok(sendMessage, { body: { conversationId: id, content } })
const change = ({ client }: Person, body: { isMuted?: boolean; isBlocked?: boolean; isAccepted?: true }) =>
  client.ok(setConversationState, { params: { id }, body })

/** Changes something that the person sees of a conversation. */
const touch = ({ user }: Person, conversationId: string) =>
  withDatabase(stack, 'messaging', (database) =>
    database
      .collection<Row>('members')
      .updateOne({ _id: memberKey(user.id, conversationId) }, { $currentDate: { changedAt: true } }),
  )

/** Moves every change of these people so far into the past. */
const age = (ms: number, ...people: Person[]) =>
  withDatabase(stack, 'messaging', async (database) => {
    const ids = people.map(({ user }) => user.id)
    const past = new Date(Date.now() - ms)
    const dates = { createdAt: past, activeAt: past, changedAt: past }
    await database.collection('members').updateMany({ personId: { $in: ids } }, { $set: dates })
    await database
      .collection('messages')
      .updateMany({ memberIds: { $in: ids } }, { $set: { createdAt: past } })
    const those = { _id: { $in: ids } }
    await database.collection<Row>('people').updateMany(those, { $set: { changedAt: past } })
    const limits = { changedAt: past, shownChangeAt: past }
    await database.collection<Row>('entitlements').updateMany(those, { $set: limits })
  })
/** Waits until all earlier calls have had their effects and none of these is new any more. */
const quiet = (...people: Person[]) =>
  eventually(async () => {
    await withDatabase(stack, 'messaging', async (database) => {
      const unpublished = { unpublished: true, memberIds: { $in: people.map(({ user }) => user.id) } }
      expect(await database.collection('messages').findOne(unpublished)).toBeNull()
      for (const { user } of people) {
        const row = await database.collection<Row>('entitlements').findOne({ _id: user.id })
        expect(row).toHaveProperty('personVersion')
      }
    })
    await age(3_600_000, ...people)
    for (const person of people) expect(await poll(person)).toMatchObject(nothing)
  })

it('is empty when nothing has changed, and says when to ask again', async () => {
  const before = Date.now()
  const answer = await poll(ann)
  expect(answer).toMatchObject(nothing)
  expect(Date.parse(answer.now)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(answer.now)).toBeLessThanOrEqual(Date.now())
  expect(answer.pollAfterMs).toBeGreaterThanOrEqual(3000)
  expect(answer.pollAfterMs).toBeLessThanOrEqual(30_000)
})

it.each(['yesterday', '2026-13-01T00:00:00.000Z', '1764000000000', ''])(
  'refuses "%s" as a time',
  async (since) => {
    expect(await ann.client.call(listChanges, { query: { since } })).toMatchObject({ status: 400 })
  },
)

describe('the whole list is answered', () => {
  it('without a time, and after more than 10 minutes', async () => {
    const list = await ann.client.ok(listConversations)
    const whole = { isWhole: true, conversations: list, removed: [] }
    expect(await ann.client.ok(listChanges)).toMatchObject(whole)
    expect(await poll(ann, new Date(Date.now() - 601_000).toISOString())).toMatchObject(whole)
  })

  it('when the caller used the free message, on whatever device', async () => {
    await say(ben)
    expect(await poll(ben)).toMatchObject({ isWhole: true, conversations: [{ id, messagesRemaining: 0 }] })
  })

  it('to both when premium begins for one', async () => {
    const [eve, fay] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    const { id: other } = await befriend(eve, fay)
    await quiet(eve, fay)
    await makePremium(admin, eve)
    await eventually(async () => {
      for (const person of [eve, fay])
        expect(await poll(person)).toMatchObject({
          isWhole: true,
          conversations: [{ id: other, unlimited: true }],
        })
    })
  })

  it('when more than a page has changed', async () => {
    const gil = await unlockedPerson(stack)
    await quiet(gil)
    const records = Array.from({ length: 51 }, () => ({
      id: randomUUID(),
      memberIds: [gil.user.id, randomUUID()] as const,
    }))
    const insert = (some: typeof records) =>
      withDatabase(stack, 'messaging', (database) => begin(database, some))
    await insert(records.slice(1))
    expect(await poll(gil)).toMatchObject({ isWhole: false, conversations: { length: 50 } })
    await insert(records.slice(0, 1))
    expect(await poll(gil)).toMatchObject({ isWhole: true, conversations: { length: 50 } })
  })
})

describe('a conversation is answered', () => {
  const changed = (row: object) => ({ isWhole: false, conversations: [{ id, ...row }], removed: [] })

  it('after a message, before and after it is published', async () => {
    const [eve, fay] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    const { id: conversationId } = await befriend(eve, fay)
    await quiet(eve, fay)
    const since = new Date().toISOString()
    const { seq } = await fay.client.ok(sendMessage, { body: { conversationId, content: 'News' } })
    const row = { id: conversationId, lastSeq: seq, lastMessage: { content: 'News' } }
    const news = { isWhole: false, conversations: [row], removed: [] }
    expect(await poll(eve, since)).toMatchObject(news)
    await eventually(() =>
      withDatabase(stack, 'messaging', async (database) =>
        expect(
          await database.collection('messages').findOne({ unpublished: true, conversationId }),
        ).toBeNull(),
      ),
    )
    expect(await poll(eve, since)).toMatchObject(news)
  })

  it('after a message whose row moved late', async () => {
    await touch(ann, id)
    expect(await poll(ann)).toMatchObject(changed({}))
  })

  it('to both after one has read it', async () => {
    const [row] = await ann.client.ok(listConversations)
    await ann.client.ok(markRead, { params: { id }, body: { seq: row!.lastSeq } })
    expect(await poll(ann)).toMatchObject(changed({ unreadCount: 0 }))
    expect(await poll(ben)).toMatchObject(changed({ lastMessage: { isRead: true } }))
  })

  it('D-66: to the reader alone after one has read it while read receipts are off', async () => {
    const [eve, fay] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    const { id: conversationId } = await befriend(eve, fay)
    await fay.client.ok(setConversationPreferences, { body: { showsRead: false } })
    const { seq } = await eve.client.ok(sendMessage, { body: { conversationId, content: 'Hello' } })
    await quiet(eve, fay)
    await fay.client.ok(markRead, { params: { id: conversationId }, body: { seq } })
    expect(await poll(fay)).toMatchObject({ conversations: [{ id: conversationId, unreadCount: 0 }] })
    expect(await poll(eve)).toMatchObject(nothing)
  })

  it('after a mute, to the one who muted it', async () => {
    await change(ann, { isMuted: true })
    expect(await poll(ann)).toMatchObject(changed({ isMuted: true }))
    expect(await poll(ben)).toMatchObject(nothing)
    await change(ann, { isMuted: false })
  })

  it('after a block, to the one who blocks, while the other one learns nothing', async () => {
    await change(ann, { isBlocked: true })
    expect(await poll(ann)).toMatchObject(changed({ isBlocked: true }))
    expect(await poll(ben)).toMatchObject(nothing)
    await change(ann, { isBlocked: false })
    await ann.client.ok(setConversationPreferences, { body: { asksFirst: false } })
    expect(await poll(ben)).toMatchObject(nothing)
  })

  it('after its request was accepted, and not to the recipient before its first message', async () => {
    const [eve, fay] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    await fay.client.ok(setConversationPreferences, { body: { asksFirst: true } })
    const { id: asked } = await befriend(eve, fay)
    await eventually(async () => {
      await age(3_600_000, fay)
      expect(await poll(fay)).toMatchObject(nothing)
    })
    await touch(fay, asked)
    expect(await poll(fay)).toMatchObject(nothing)
    await age(3_600_000, fay)
    await fay.client.ok(setConversationState, { params: { id: asked }, body: { isAccepted: true } })
    expect(await poll(fay)).toMatchObject({ isWhole: false, conversations: [{ id: asked }] })
  })

  it('after it was begun', async () => {
    const eve = await unlockedPerson(stack)
    const begun = await befriend(eve, ann)
    await eventually(async () => {
      await age(3_600_000, eve)
      await withDatabase(stack, 'messaging', (database) =>
        database
          .collection<Row>('entitlements')
          .updateOne({ _id: ann.user.id }, { $unset: { changedAt: '', shownChangeAt: '' } }),
      )
      await touch(ann, begun.id)
      expect(await poll(ann)).toMatchObject({ isWhole: false, conversations: [{ id: begun.id }] })
    })
  })

  it('after the other one got a new code', async () => {
    const { userCode } = await ben.client.ok(rotateUserCode)
    await eventually(async () => expect(await poll(ann)).toMatchObject(changed({ otherUser: { userCode } })))
  })

  it('after the other one got a key or another name', async () => {
    const key = { epoch: 1, pub: exampleValues.publicPoint }
    await withDatabase(stack, 'messaging', async (database) => {
      const people = createPersonStore(database)
      const known = (await people.byIds([ben.user.id])).get(ben.user.id)!
      const username = `New${known.username}`.slice(0, 20)
      await people.save({ ...known, username, keys: [key], version: known.version + 1 })
      const otherUser = { username, keys: [key] }
      expect(await poll(ann)).toMatchObject(changed({ otherUser }))
    })
  })

  it('again for 10 s, and then no more', async () => {
    await change(ann, { isMuted: true })
    const date = async (agoMs: number) => {
      const changedAt = new Date(Date.now() - agoMs)
      await withDatabase(stack, 'messaging', (database) =>
        database
          .collection<Row>('members')
          .updateOne({ _id: memberKey(ann.user.id, id) }, { $set: { changedAt } }),
      )
    }
    await date(8000)
    expect(await poll(ann)).toMatchObject(changed({ isMuted: true }))
    await date(10_500)
    expect(await poll(ann)).toMatchObject(nothing)
    await change(ann, { isMuted: false })
  })
})

it('a deleted conversation is removed, for the one who deleted it', async () => {
  await ann.client.ok(deleteConversation, { params: { id } })
  expect(await poll(ann)).toMatchObject({ isWhole: false, conversations: [], removed: [id] })
  expect(await poll(ben)).toMatchObject(nothing)
})
