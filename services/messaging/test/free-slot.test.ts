import { randomUUID } from 'node:crypto'
import { befriend, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import type { mongo } from 'mongoose'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import type { MessageRecord } from '../src/domain/message.ts'
import { slotOf } from '../src/domain/slot.ts'
import type { SlotRecord } from '../src/domain/slot.ts'
import { migrations } from '../src/migrations.ts'
import { eraseWhole } from '../src/test-support/erase-whole.ts'
import { getQuota } from '../src/use-cases/get-quota.ts'
import { listActivities } from '../src/use-cases/list-activities.ts'
import { outcomeOf } from '../src/test-support/outcome-of.ts'
import { sendMessage } from '../src/use-cases/send-message.ts'
import { viewConversation } from '../src/use-cases/view-conversations.ts'

let stack: RunningStack
/** Two processes that send. */
let contexts: [Context, Context]
let others: Person[]
let annId: string
let conversationIds: string[]
/** Noon of yesterday, so that no test passes midnight and the sweep publishes the sent messages. */
let nowMs: number

beforeAll(async () => {
  stack = await sharedStack()
  const config = readConfig(stack.service('messaging').environment)
  const clock = { nowMs: () => nowMs, now: () => new Date(nowMs) }
  const open = async () => ({ ...(await createContext(config)), clock })
  contexts = [await open(), await open()]
  others = await Promise.all(Array.from({ length: 3 }, () => unlockedPerson(stack)))
})
afterAll(() => Promise.all((contexts ?? []).map((ctx) => ctx.close())))
beforeEach(async () => {
  nowMs = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000
  const ann = await unlockedPerson(stack)
  annId = ann.user.id
  conversationIds = []
  for (const other of others) conversationIds.push((await befriend(ann, other)).id)
})

const messages = () =>
  contexts[0].connection.collection('messages') as unknown as mongo.Collection<MessageRecord>
const slots = () => contexts[0].connection.collection('slots') as unknown as mongo.Collection<SlotRecord>
const stored = async () =>
  (await messages().find({ senderId: annId }).toArray()).map(({ clientMessageId }) => clientMessageId)

const send = (ctx: Context, index: number, clientMessageId: string = randomUUID()) =>
  outcomeOf(
    sendMessage(ctx, {
      senderId: annId,
      conversationId: conversationIds[index % conversationIds.length] as string,
      content: 'x',
      messageType: 'text',
      mediaUrl: undefined,
      clientMessageId,
    }),
  )
const sendMany = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(contexts[index % 2] as Context, index)))
/** Takes the slot for a message in a process that ends before it stores the message. */
async function crash(clientMessageId: string): Promise<void> {
  const insert = () => Promise.reject(new Error('killed'))
  const crashing = { ...contexts[1], messages: { ...contexts[1].messages, insert } }
  expect(await send(crashing, 0, clientMessageId)).toBe('unavailable')
}
const views = async () => ({
  quota: await getQuota(contexts[0], { userId: annId }),
  remaining: (await viewConversation(contexts[0], annId, conversationIds[1] as string)).messagesRemaining,
  activity: (
    await listActivities(contexts[0], { adminId: randomUUID(), userIds: [randomUUID(), annId] })
  ).map((row) => row.dailyMessageCount),
})

it('PROD-09: of 50 sends at once by a free person over two processes and three conversations, one is stored', async () => {
  const answers = await sendMany(50)
  expect(answers.filter((answer) => answer === 'stored')).toHaveLength(1)
  expect(answers.filter((answer) => answer === 'daily_limit_reached')).toHaveLength(49)
  expect(await stored()).toHaveLength(1)
})

it('the slot of a send that crashed is used by the same message at once', async () => {
  await crash('again')
  expect(await send(contexts[0], 0, 'again')).toBe('stored')
  expect(await sendMany(2)).toEqual(['daily_limit_reached', 'daily_limit_reached'])
})

it('the slot of a send that crashed is used by one of two processes that take it over at once after ten seconds, and not before', async () => {
  await crash('lost')
  nowMs += 9999
  const impatient = { ...contexts[0], timeouts: { sendQueueMs: 2000, storeMs: 200 } }
  expect(await send(impatient, 1)).toBe('unavailable')
  nowMs += 1
  let reads = 0
  let proceed: () => void = () => undefined
  const bothHaveRead = new Promise<void>((done) => (proceed = done))
  const racing = contexts.map((ctx) => {
    const byIds: typeof ctx.slots.byIds = async (ids) => {
      const rows = await ctx.slots.byIds(ids)
      if (++reads === 2) proceed()
      await bothHaveRead
      return rows
    }
    return { ...ctx, slots: { ...ctx.slots, byIds } }
  })
  const answers = await Promise.all(racing.map((ctx, index) => send(ctx, index)))
  expect(answers.sort()).toEqual(['daily_limit_reached', 'stored'])
  expect(await stored()).toHaveLength(1)
})

it('a send stores nothing when another took its slot over before its insert began', async () => {
  let proceed: () => void = () => undefined
  const { messages: own } = contexts[1]
  const waiting = new Promise<void>((resolve) => {
    const insert: typeof own.insert = async (...message) => {
      resolve()
      await new Promise<void>((done) => (proceed = done))
      await own.insert(...message)
    }
    contexts[1].messages = { ...own, insert }
  })
  const late = send(contexts[1], 0, 'late')
  await waiting
  contexts[1].messages = own
  nowMs += 10_000
  expect(await send(contexts[0], 1, 'other')).toBe('stored')
  proceed()
  // Its time limit may be over by then.
  expect(['daily_limit_reached', 'unavailable']).toContain(await late)
  expect(await stored()).toEqual(['other'])
})

it('quota, conversation and list of activities count a message that is stored or about to be', async () => {
  const none = { dailyMessageCount: 0, lastMessageDate: null }
  expect(await views()).toEqual({ quota: none, remaining: 1, activity: [0, 0] })
  await crash('again')
  const pending = { dailyMessageCount: 1, lastMessageDate: null }
  expect(await views()).toEqual({ quota: pending, remaining: 0, activity: [0, 1] })
  nowMs += 10_000
  expect(await views()).toEqual({ quota: none, remaining: 1, activity: [0, 0] })
  expect(await send(contexts[0], 0, 'again')).toBe('stored')
  const spent = { dailyMessageCount: 1, lastMessageDate: new Date(nowMs).toISOString() }
  nowMs += 60_000
  expect(await views()).toEqual({ quota: spent, remaining: 0, activity: [0, 1] })
  nowMs += 86_400_000
  expect(await views()).toEqual({ quota: none, remaining: 1, activity: [0, 0] })
})

it('the migration copies the slots of messages of the last two days, also when it runs again', async () => {
  const own = slotOf(annId, new Date(nowMs))
  const older = slotOf(annId, new Date(nowMs - 86_400_000))
  const migrate = () => migrations.find(({ id }) => id === '0010-slots')?.up(contexts[0].connection)
  await send(contexts[0], 0, 'old')
  const before = await slots().findOne({ _id: own })
  nowMs -= 86_400_000
  await send(contexts[0], 1, 'older')
  await slots().deleteMany({ _id: { $in: [own, older] } })
  for (const [clientMessageId, slot] of Object.entries({ old: own, older }))
    await messages().updateOne({ senderId: annId, clientMessageId }, { $set: { slot } })
  await migrate()
  expect(
    await slots()
      .find({ _id: { $in: [own, older] } })
      .toArray(),
  ).toEqual([before])
  // The migration does not change the slot back to the first message's.
  await slots().updateOne({ _id: own }, { $set: { clientMessageId: 'newer' } })
  await migrate()
  expect(await slots().findOne({ _id: own })).toMatchObject({ clientMessageId: 'newer' })
})

it('the slots of a person are deleted with the account, and no others', async () => {
  await send(contexts[0], 0)
  // These neighbour the person's slots in the index.
  const others = ['0', 'z'].map((letter) => slotOf(letter + randomUUID(), new Date(nowMs)))
  for (const _id of others)
    await slots().insertOne({ _id, conversationId: 'c', clientMessageId: 'k', takenAt: new Date(nowMs) })
  const ofAnn = { _id: { $regex: `^${annId}` } }
  expect(await slots().countDocuments(ofAnn)).toBe(1)
  await eraseWhole(contexts[0], annId)
  expect(await slots().countDocuments(ofAnn)).toBe(0)
  expect(await slots().countDocuments({ _id: { $in: others } })).toBe(2)
})
