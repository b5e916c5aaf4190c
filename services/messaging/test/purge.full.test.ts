import { randomUUID } from 'node:crypto'
import { userPurgeRequested } from '@sumlock/contracts/auth-events'
import { toRecord } from '@sumlock/bus/envelope'
import type { EventContract } from '@sumlock/contracts/event'
import type { Purges } from '@sumlock/service-kit/purges'
import { begin, fillConversation } from '@sumlock/testing/many-messages'
import { openNamespace } from '@sumlock/testing/namespace'
import type { Namespace } from '@sumlock/testing/namespace'
import { eventually } from '@sumlock/testing/wait'
import { readConfig } from '../src/config.ts'
import { peopleHandlers } from '../src/consumers/people.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import type { MemberRecord } from '../src/domain/member.ts'
import type { MessageRecord } from '../src/domain/message.ts'
import { jobKinds } from '../src/job-kinds.ts'
import { outcomeOf } from '../src/test-support/outcome-of.ts'
import { applyPerson } from '../src/use-cases/apply-person.ts'
import { sendMessage } from '../src/use-cases/send-message.ts'

let namespace: Namespace
/** Two processes that run no job unless a test says so. */
let first: Context
let second: Context
/** The answers of auth, which does not run here, and its record of the people whose data were reported as erased. */
let purge: { isRepeated: boolean } | null
const acknowledged: string[] = []
const purges: Purges = {
  confirm: () => Promise.resolve(purge),
  acknowledge: (userId) => Promise.resolve(void acknowledged.push(userId)),
}
beforeAll(async () => {
  namespace = await openNamespace()
  const open = async (index: number) => ({
    ...(await createContext(readConfig(namespace.environmentOf('messaging', index)))),
    purges,
  })
  ;[first, second] = await Promise.all([open(0), open(1)])
})
afterAll(async () => {
  await Promise.all([first?.close(), second?.close()])
  await namespace?.close()
})

/** The purged person, a partner with many messages, and partners with few. */
let leaverId: string
let conversations: { id: string; partnerId: string; count: number }[]
const many = 1200

const rowsOf = (name: string) => first.connection.collection<{ _id: string }>(name)
const messagesIn = (conversationId: string) =>
  first.connection.collection<MessageRecord>('messages').find({ conversationId }).sort({ _id: 1 }).toArray()

beforeEach(async () => {
  leaverId = randomUUID()
  conversations = [many, 3, 0, 7].map((count) => ({ id: randomUUID(), partnerId: randomUUID(), count }))
  await first.savePerson({ userId: leaverId, username: 'leaver', userCode: 'ABC', version: 1 })
  for (const { id, partnerId, count } of conversations) {
    await begin(first.connection, [{ id, memberIds: [leaverId, partnerId] }])
    await fillConversation(first.connection, { id, memberIds: [leaverId, partnerId], count })
  }
})

/** Delivers an event as Kafka does. */
const deliver = async <E extends EventContract>(event: E, data: unknown) => {
  const time = new Date()
  const { value } = toRecord(event, data as never, { source: 'auth', time })
  const handler = peopleHandlers(first, () => undefined).find((one) => one.event.type === event.type)
  await handler?.handle(JSON.parse(value) as never)
}
const requestPurge = async (isRepeated: boolean) => {
  purge = { isRepeated }
  await deliver(userPurgeRequested, { userId: leaverId })
}
const send = (conversationId: string, senderId: string) =>
  outcomeOf(
    sendMessage(second, {
      ...{ senderId, conversationId, content: 'hello', messageType: 'text' },
      ...{ mediaUrl: undefined, clientMessageId: randomUUID() },
    }),
  )
const acknowledgements = () => acknowledged.filter((userId) => userId === leaverId).length

async function expectAllErased(): Promise<void> {
  for (const name of ['messages', 'members', 'people', 'entitlements', 'jobs', 'reports', 'slots'])
    expect(JSON.stringify(await rowsOf(name).find().toArray())).not.toContain(leaverId)
  for (const { id, partnerId, count } of conversations) {
    const rows = await first.connection
      .collection<MemberRecord>('members')
      .find({ conversationId: id })
      .toArray()
    const standIn = rows.find(({ personId }) => personId === partnerId)?.otherId ?? ''
    const names = rows.map(({ personId, otherId }) => [personId, otherId])
    expect(names.sort()).toEqual(
      [
        [partnerId, standIn],
        [standIn, partnerId],
      ].sort(),
    )
    const messages = await messagesIn(id)
    expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => index + 1))
    expect(messages).toHaveLength(count)
    for (const { memberIds } of messages) expect(memberIds).toEqual([standIn, partnerId])
    const kept = messages.filter(({ senderId }) => senderId === partnerId)
    expect(kept).toHaveLength(Math.floor(count / 2))
    expect(kept.every(({ content }) => content !== '')).toBe(true)
    const erased = messages.filter(({ senderId }) => senderId !== partnerId)
    expect(erased.every(({ content }) => content === '')).toBe(true)
    expect((await first.people.byIds([standIn])).get(standIn)?.username).toBe('Unknown User')
  }
}

it('keeps nothing of the session in which the person was reading a message that opens once', async () => {
  const [, { id, partnerId }] = conversations as [unknown, (typeof conversations)[0]]
  const open = { isTold: true, by: { sessionId: randomUUID(), unlockedAt: new Date() } }
  const received = { conversationId: id, senderId: partnerId }
  await first.connection.collection('messages').updateMany(received, { $set: { isOnce: true, open } })
  await requestPurge(false)
  await first.jobs.run(jobKinds(first))
  const kept = (await messagesIn(id)).filter(({ senderId }) => senderId === partnerId)
  expect(kept.map((message) => message.open)).toEqual([{ isTold: true }])
})

it('a request to purge only notes a job, which refuses sends to the person before it erases anything', async () => {
  const [{ id, partnerId }] = conversations as [(typeof conversations)[0]]
  expect(await send(id, partnerId)).toBe('stored')
  await requestPurge(false)
  expect(await rowsOf('jobs').countDocuments({ subject: leaverId })).toBe(1)
  expect(await rowsOf('entitlements').countDocuments({ _id: leaverId })).toBe(0)
  const stopping = new AbortController()
  const kinds = jobKinds(first)
  const begin = async (job: Parameters<typeof kinds.purge.begin>[0]) => {
    const progress = await kinds.purge.begin(job)
    stopping.abort()
    return progress
  }
  await first.jobs.run({ ...kinds, purge: { ...kinds.purge, begin } }, stopping.signal)
  await eventually(async () => expect(await send(id, partnerId)).toBe('person_gone'))
  const messages = await messagesIn(id)
  expect(messages).toHaveLength(many + 1)
  expect(messages.filter(({ content }) => content === '')).toEqual([])
  await rowsOf('messages').deleteOne({ conversationId: id, seq: many + 1 })
  await rowsOf('slots').deleteMany({})

  const name = { userId: randomUUID(), username: 'later', userCode: 'DEF', version: 2 }
  await applyPerson(first, name)
  expect((await first.people.byIds([name.userId])).get(name.userId)?.username).toBe('later')
  await second.jobs.run(jobKinds(second))
  await requestPurge(true)
  await second.jobs.run(jobKinds(second))
  await expectAllErased()
})

let buried: AbortController
beforeEach(() => void (buried = new AbortController()))
afterEach(() => buried.abort())

/** A process that dies right after its nth call of a function, whose effect is stored. */
function dyingAfter<N extends 'messages' | 'memberErasure' | 'people' | 'entitlementStore' | 'outbox'>(
  store: N,
  name: keyof Context[N],
  calls: number,
): { ctx: Context; died: Promise<void> } {
  const { promise: died, resolve } = Promise.withResolvers<void>()
  const real = first[store][name] as (...args: unknown[]) => Promise<unknown>
  let count = 0
  const dying = async (...args: unknown[]) => {
    const result = await real(...args)
    if ((count += 1) < calls) return result
    resolve()
    return new Promise((_, reject) =>
      buried.signal.addEventListener('abort', () => reject(new Error('died'))),
    )
  }
  return { ctx: { ...first, [store]: { ...first[store], [name]: dying } }, died }
}

it.each([
  ['messages', 'eraseMember', 1],
  ['messages', 'eraseMember', 2],
  ['people', 'add', 2],
  ['entitlementStore', 'addGone', 1],
  ['memberErasure', 'replaceMember', 1],
  ['memberErasure', 'replaceMember', 3],
  ['people', 'remove', 1],
] as const)(
  'goes on where a process was killed after %s.%s no. %i: all is erased, and acknowledged once',
  async (store, name, calls) => {
    await requestPurge(false)
    const { ctx, died } = dyingAfter(store, name as never, calls)
    void first.jobs.run(jobKinds(ctx), buried.signal)
    await died
    await rowsOf('leases').deleteMany({})
    await second.jobs.run(jobKinds(second))
    expect(acknowledgements()).toBe(0)

    await requestPurge(true)
    await requestPurge(true)
    await second.jobs.run(jobKinds(second))
    await expectAllErased()
    expect(acknowledgements()).toBe(1)
    // Kafka delivers it once more after a rebalance.
    await requestPurge(true)
    await second.jobs.run(jobKinds(second))
    await expectAllErased()
  },
)

it('a person with few messages is erased before another one with many, who was first', async () => {
  await requestPurge(false)
  const [busyId, quietId] = [leaverId, randomUUID()]
  const quiet = { id: randomUUID(), memberIds: [quietId, randomUUID()] as const }
  await begin(first.connection, [quiet])
  await fillConversation(first.connection, { ...quiet, count: 4 })
  await deliver(userPurgeRequested, { userId: quietId })
  let endedWhile: number | undefined
  const kinds = jobKinds(second)
  const watched = {
    ...kinds.purge,
    part: async (job: Parameters<typeof kinds.purge.part>[0]) => {
      const progress = await kinds.purge.part(job)
      if (!progress && job.subject === quietId)
        endedWhile = await rowsOf('messages').countDocuments({ senderId: busyId })
      return progress
    },
  }
  await second.jobs.run({ ...kinds, purge: watched })
  expect(endedWhile).toBeGreaterThan(0)
  expect(await rowsOf('messages').countDocuments({ senderId: busyId })).toBe(0)
})

it('a request that auth does not confirm is dropped with the job, and one that it cannot confirm yet waits', async () => {
  await requestPurge(true)
  const silent = { ...first, purges: { ...purges, confirm: () => Promise.reject(new Error('auth is away')) } }
  await first.jobs.run(jobKinds(silent))
  const [job] = await rowsOf('jobs').find({ subject: leaverId }).toArray()
  expect(job).toMatchObject({ parts: 0 })
  expect(job).not.toHaveProperty('progress')

  purge = null
  await rowsOf('jobs').updateMany({}, { $set: { dueAt: new Date(0) } })
  await first.jobs.run(jobKinds(first))
  expect(await rowsOf('jobs').countDocuments({ subject: leaverId })).toBe(0)
  expect(await rowsOf('entitlements').countDocuments({ _id: leaverId })).toBe(0)
  expect((await first.people.byIds([leaverId])).get(leaverId)?.username).toBe('leaver')
  for (const { id, count } of conversations)
    expect((await messagesIn(id)).filter(({ content }) => content !== '')).toHaveLength(count)
  expect(acknowledgements()).toBe(0)
})
