import { randomUUID } from 'node:crypto'
import { setConversationState } from '@sumlock/contracts/conversation-state-routes'
import {
  deleteConversation,
  listConversations,
  sendMessage,
  startConversation,
} from '@sumlock/contracts/messaging-routes'
import { waitUntil } from '@sumlock/deployment/wait-until'
import type { Stack } from '@sumlock/dev/product/services'
import { nameOfSize, sized } from '@sumlock/testing/config'
import { withDatabase } from '@sumlock/testing/database'
import { startTestStack } from '@sumlock/testing/engines'
import { adminPerson, makePeople, makePremium, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { eventually } from '@sumlock/testing/wait'
import type { MemberRecord } from '../src/domain/member.ts'
import type { MessageRecord } from '../src/domain/message.ts'

/** 21 people form 210 pairs. */
const {
  people: count,
  racing,
  rounds,
} = sized({
  small: { people: 6, racing: 5, rounds: 10 },
  full: { people: 21, racing: 25, rounds: 40 },
})

let stack: Stack
let people: Person[]
beforeAll(async () => {
  stack = await startTestStack({ replicas: { messaging: 2, realtime: 0, notify: 0 } })
  people = await makePeople(count, () => unlockedPerson(stack))
  await makePremium(await adminPerson(stack), ...people)
  for (const { client } of people) client.keptToken = await client.csrfToken()
}, 240_000)
afterAll(() => stack?.stop())

const pairs = (): [Person, Person][] =>
  people.flatMap((one, index) => people.slice(index + 1).map((other): [Person, Person] => [one, other]))

const memberRows = () =>
  withDatabase(stack, 'messaging', (database) =>
    database.collection<MemberRecord>('members').find().toArray(),
  )

/** Repeats a call while the service is away or busy; every call here is safe to repeat. */
const insist = <T extends { status: number }>(call: () => Promise<T>): Promise<T> =>
  waitUntil(
    'an answer',
    async () => {
      const answer = await call()
      return answer.status !== 503 && answer.status !== 429 && answer
    },
    { timeoutMs: 60_000 },
  )

it(`gives each of many pairs that start at once from both sides one conversation (${nameOfSize})`, async () => {
  const started = await Promise.all(
    pairs().map(([one, other]) =>
      Promise.all(
        [[one, other] as const, [other, one] as const].map(([{ client }, { user }]) =>
          insist(() => client.call(startConversation, { body: { userCode: user.userCode } })),
        ),
      ),
    ),
  )
  for (const [one, other] of started) {
    for (const answer of [one, other]) expect([200, 201]).toContain(answer?.status)
    expect(one?.body.id).toBe(other?.body.id)
  }
  const rows = await memberRows()
  expect(rows).toHaveLength(2 * pairs().length)
  expect(new Set(rows.map(({ conversationId }) => conversationId)).size).toBe(pairs().length)
})

it(`shows every list as its messages and marks demand within 5 s, after ${racing * rounds} deletions and blocks raced sends, with kills (${nameOfSize})`, async () => {
  const rows = await memberRows()
  const racers = pairs()
    .slice(0, racing)
    .map(([sender, other]) => {
      const row = rows.find(
        ({ personId, otherId }) => personId === sender.user.id && otherId === other.user.id,
      )
      return { sender, other, conversationId: row?.conversationId as string }
    })
  let done = 0
  const race = async ({ sender, other, conversationId }: (typeof racers)[number]) => {
    const send = () => {
      const body = { conversationId, content: 'text', clientMessageId: randomUUID() }
      return insist(() => sender.client.call(sendMessage, { body }))
    }
    const block = (isBlocked: boolean) =>
      insist(() =>
        other.client.call(setConversationState, { params: { id: conversationId }, body: { isBlocked } }),
      )
    const remove = () =>
      insist(() => other.client.call(deleteConversation, { params: { id: conversationId } }))
    for (let round = 0; round < rounds; round += 1) {
      const rival = round % 2 === 0 ? remove : () => block(round % 4 === 1)
      const [sent, changed] = await Promise.all([send(), rival()])
      expect([200, 201]).toContain(sent.status)
      expect([200, 204]).toContain(changed.status)
      done += 1
    }
  }
  const kills = async () => {
    for (const [index, share] of [0.2, 0.4, 0.6, 0.8].entries()) {
      await waitUntil('the race to go on', () => done >= share * racing * rounds, { timeoutMs: 240_000 })
      const replica = stack.service('messaging', index % 2)
      await replica.kill('SIGKILL')
      await replica.start()
    }
  }
  await Promise.all([kills(), ...racers.map(race)])

  const messages = await storedBy()
  expect([...messages.values()].flat().filter(({ isHidden }) => isHidden).length).toBeGreaterThan(0)
  await eventually(
    async () => {
      const found = await memberRows()
      expect(found.map(shownIn)).toEqual(
        found.map((row) => demandedOf(row, messages.get(row.conversationId))),
      )
    },
    { timeoutMs: 5000, everyMs: 250 },
  )
  const listed = (await memberRows()).filter(({ isListed }) => isListed)
  for (const { client, user } of people) {
    const own = listed.filter(({ personId }) => personId === user.id)
    const views = await client.ok(listConversations)
    expect(views.map(({ id, lastSeq }) => `${id} ${lastSeq}`).sort()).toEqual(
      own.map(({ conversationId, newestSeq }) => `${conversationId} ${newestSeq}`).sort(),
    )
  }
})

const storedBy = () =>
  withDatabase(stack, 'messaging', async (database) =>
    Map.groupBy(
      await database.collection<MessageRecord>('messages').find().sort({ _id: 1 }).toArray(),
      ({ conversationId }) => conversationId,
    ),
  )

const shownIn = ({ _id, newestSeq, activeAt, isListed }: MemberRecord) => ({
  _id,
  newestSeq,
  activeAt,
  isListed,
})

/** The values that a row must have, computed from the messages and from its own marks. */
function demandedOf(row: MemberRecord, messages: readonly MessageRecord[] = []) {
  const newest = messages.findLast(({ isHidden, senderId }) => !isHidden || senderId === row.personId)
  const newestSeq = newest?.seq ?? 0
  const isListed = (!row.isDeleted && !row.isRequest) || newestSeq > row.clearedSeq
  return { _id: row._id, newestSeq, activeAt: newest?.createdAt ?? row.createdAt, isListed }
}
