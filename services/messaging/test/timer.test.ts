import { randomUUID } from 'node:crypto'
import { deleteAccount } from '@sumlock/contracts/account-routes'
import {
  setConversationPreferences,
  setConversationState,
  setTimer,
} from '@sumlock/contracts/conversation-state-routes'
import {
  deleteConversation,
  getConversation,
  listConversations,
  sendMessage,
} from '@sumlock/contracts/messaging-routes'
import type { LiveConnection } from '@sumlock/sync/ports'
import { withDatabase } from '@sumlock/testing/database'
import { adminPerson, befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { createSockets, nextEvent } from '@sumlock/testing/socket'
import { eventually } from '@sumlock/testing/wait'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

let stack: RunningStack
let admin: Person
const sockets = createSockets()

beforeAll(async () => {
  stack = await sharedStack()
  admin = await adminPerson(stack)
})
afterAll(sockets.close)

async function pair() {
  const [ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await makePremium(admin, ann)
  const { id } = await befriend(ann, ben)
  return { ann, ben, id }
}

const set = (
  { client }: Person,
  id: string,
  body: { id?: string; vanishMs: number | null; replaces: string | null },
) => client.call(setTimer, { params: { id }, body: { id: randomUUID(), ...body } as never })
const timerOf = async ({ client }: Person, id: string) =>
  (await client.ok(getConversation, { params: { id } })).timer
const say = ({ client }: Person, conversationId: string, content: string) =>
  client.ok(sendMessage, { body: { conversationId, content } })

const rowOf = ({ user }: Person, conversationId: string) =>
  withDatabase(stack, 'messaging', (database) =>
    database.collection('members').findOne({ personId: user.id, conversationId }),
  )

const changeOf = (live: LiveConnection, id: string) =>
  nextEvent(live, (event) => event.type === 'conversation_changed' && event.data.conversationId === id)

it('is set by either member for both, who are both told', async () => {
  const { ann, ben, id } = await pair()
  await say(ann, id, 'hello')
  expect(await timerOf(ann, id)).toBeUndefined()
  const listeners = await Promise.all([sockets.open(ann), sockets.open(ben)])
  const bothTold = Promise.all(listeners.map((live) => changeOf(live, id)))
  const first = randomUUID()
  const answer = await set(ann, id, { id: first, vanishMs: dayMs, replaces: null })
  const timer = { id: first, by: ann.user.id, vanishMs: dayMs, afterSeq: 1 }
  expect(answer).toMatchObject({ status: 200, body: { id, timer } })
  await bothTold
  expect(await timerOf(ben, id)).toEqual({ ...timer, at: expect.any(String) as string })

  const second = randomUUID()
  await set(ben, id, { id: second, vanishMs: null, replaces: first })
  expect(await timerOf(ann, id)).toMatchObject({ id: second, by: ben.user.id, vanishMs: null })
})

it('is applied once when it is sent again, and refused when it replaces an earlier one', async () => {
  const { ann, ben, id } = await pair()
  const first = { id: randomUUID(), vanishMs: hourMs, replaces: null }
  await set(ann, id, first)
  const before = await timerOf(ben, id)
  expect((await set(ann, id, { ...first, vanishMs: dayMs })).status).toBe(200)
  expect(await timerOf(ben, id)).toEqual(before)
  expect(await set(ben, id, { vanishMs: dayMs, replaces: null })).toMatchObject({
    status: 409,
    body: { code: 'timer_replaced' },
  })
  expect(await timerOf(ann, id)).toEqual({ ...before, by: ann.user.id })
})

it('is set by one of two members who set it at the same time', async () => {
  const { ann, ben, id } = await pair()
  let replaces: string | null = null
  for (let round = 0; round < 5; round += 1) {
    const bodies = [hourMs, dayMs].map((vanishMs) => ({ id: randomUUID(), vanishMs, replaces }))
    const answers = await Promise.all([ann, ben].map((person, at) => set(person, id, bodies[at] as never)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const won = bodies[answers.findIndex(({ status }) => status === 200)]
    for (const person of [ann, ben])
      expect(await timerOf(person, id)).toMatchObject({ id: won?.id, vanishMs: won?.vanishMs })
    replaces = won?.id ?? null
  }
})

it('changes nothing for who has blocked the one who sets it', async () => {
  const { ann, ben, id } = await pair()
  await ben.client.ok(setConversationState, { params: { id }, body: { isBlocked: true } })
  const row = await ben.client.ok(getConversation, { params: { id } })
  const stored = await rowOf(ben, id)
  const mine = randomUUID()
  expect((await set(ann, id, { id: mine, vanishMs: dayMs, replaces: null })).status).toBe(200)
  expect(await timerOf(ann, id)).toMatchObject({ id: mine })
  expect(await ben.client.ok(getConversation, { params: { id } })).toEqual(row)
  expect(await rowOf(ben, id)).toEqual(stored)

  // The blocker's own timer holds for both again.
  const theirs = randomUUID()
  expect((await set(ben, id, { id: theirs, vanishMs: hourMs, replaces: null })).status).toBe(200)
  expect(await timerOf(ann, id)).toMatchObject({ id: theirs, by: ben.user.id })
})

it('does not list the conversation that the other member has deleted', async () => {
  const { ann, ben, id } = await pair()
  await say(ann, id, 'hello')
  await ben.client.ok(deleteConversation, { params: { id } })
  await set(ann, id, { vanishMs: dayMs, replaces: null })
  expect((await ben.client.ok(listConversations)).map((row) => row.id)).not.toContain(id)
  await say(ann, id, 'again')
  await eventually(async () => expect(await timerOf(ben, id)).toMatchObject({ vanishMs: dayMs }))
})

it('is refused to who has not accepted the request, and shown to them after the first message', async () => {
  const [ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await makePremium(admin, ann)
  await ben.client.ok(setConversationPreferences, { body: { asksFirst: true } })
  const { id } = await befriend(ann, ben)
  expect(await set(ben, id, { vanishMs: dayMs, replaces: null })).toMatchObject({
    status: 404,
    body: { code: 'conversation_not_found' },
  })
  const mine = randomUUID()
  expect((await set(ann, id, { id: mine, vanishMs: dayMs, replaces: null })).status).toBe(200)
  expect((await ben.client.ok(listConversations)).map((row) => row.id)).not.toContain(id)
  await say(ann, id, 'hello')
  await eventually(async () => expect(await timerOf(ben, id)).toMatchObject({ id: mine }))
  await ben.client.ok(setConversationState, { params: { id }, body: { isAccepted: true } })
  expect((await set(ben, id, { vanishMs: null, replaces: mine })).status).toBe(200)
})

it('is refused while the other member is deleting the account', async () => {
  const { ann, ben, id } = await pair()
  await ben.client.ok(deleteAccount, { body: { password: ben.password } })
  await eventually(async () =>
    expect(
      await set(ann, id, { vanishMs: dayMs, replaces: (await timerOf(ann, id))?.id ?? null }),
    ).toMatchObject({
      status: 403,
      body: { code: 'person_gone' },
    }),
  )
})
