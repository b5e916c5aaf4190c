import { randomUUID } from 'node:crypto'
import { toRecord } from '@sumlock/bus/envelope'
import { limits } from '@sumlock/contracts/limits'
import { manyRows } from '@sumlock/testing/config'
import { fillPerson } from '@sumlock/testing/many-messages'
import { openNamespace } from '@sumlock/testing/namespace'
import type { Namespace } from '@sumlock/testing/namespace'
import { repeatedWorkOf } from '@sumlock/testing/repeated-work'
import { monitored, recordCommands } from '@sumlock/testing/watch-commands'
import mongoose from 'mongoose'
import { readConfig } from '../src/config.ts'
import { peopleHandlers } from '../src/consumers/people.ts'
import { subscriptionHandlers } from '../src/consumers/subscriptions.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import type { ConversationRecord } from '../src/domain/conversation.ts'
import type { MessageRecord } from '../src/domain/message.ts'
import { jobKinds } from '../src/job-kinds.ts'
import { clearConversations } from '../src/use-cases/clear-conversations.ts'
import { deleteConversation } from '../src/use-cases/delete-conversation.ts'
import { noteDueEmptying } from '../src/use-cases/empty-for-both.ts'
import { exportMessages } from '../src/use-cases/export-messages.ts'
import { pruneReports } from '../src/use-cases/prune-reports.ts'
import { publishExpiries } from '../src/use-cases/publish-expiries.ts'
import { reportConversation } from '../src/use-cases/report-conversation.ts'
import { sweepMedia } from '../src/use-cases/sweep-media.ts'
import { insertConversations, insertFiles, insertReports, insertRows } from './insert-rows.ts'

const many = manyRows.count
/** More than one command may write, and more than anybody has. */
const manyPeople = 6000
const mostPerCommand = 5000
const timeoutMs = 600_000

let namespace: Namespace
let ctx: Context
let commandsOf: ReturnType<typeof recordCommands>
beforeAll(async () => {
  namespace = await openNamespace()
  const environment = namespace.environmentOf('messaging')
  ctx = await createContext(
    readConfig({ ...environment, MONGO_URL: monitored(String(environment['MONGO_URL'])) }),
  )
  commandsOf = recordCommands(
    mongoose.connections.filter(({ readyState }) => readyState === mongoose.ConnectionStates.connected),
  )
})
afterAll(async () => {
  await ctx?.close()
  await namespace?.close()
})

const rowsOf = (name: string) => ctx.connection.collection<{ _id: string }>(name)
const insert = (name: string, count: number, row: (index: number) => object) =>
  insertRows(ctx.connection, name, count, row)

/** A person with very much of all. */
let userId: string
/** The person's conversations with messages. */
let filled: Awaited<ReturnType<typeof fillPerson>> = []
beforeEach(async () => {
  await rowsOf('jobs').deleteMany({})
  userId = randomUUID()
})
const messages = async (count = 1) => {
  filled = await fillPerson(ctx.connection, userId, { conversations: count, messagesEach: many / count })
}
const busiest = () => filled[0] as (typeof filled)[0]
const conversations = () => insertConversations(ctx.connection, userId, manyPeople)
const files = () => insertFiles(ctx.connection, userId, many)
const reports = (more: object) => insertReports(ctx.connection, userId, many, more)
const inTurn = async (...parts: (() => Promise<unknown>)[]) => {
  for (const part of parts) await part()
}
const runJobs = () => ctx.jobs.run(jobKinds(ctx))
const purge = async () => {
  await ctx.jobs.request('purge', userId, { eventId: randomUUID(), isRepeated: false })
  await runJobs()
}
const clear = async () => {
  await ctx.jobs.request('clear', userId, { resetAt: new Date() })
  await runJobs()
}

const person = () => ({ userId, username: 'ann', userCode: 'ABC', version: 1, isLeaving: false })
const entitlement = () => ({ userId, isPremium: true, premiumUntil: new Date().toISOString(), version: 2 })

const exported = async () => {
  let count = 0
  for await (const page of exportMessages(ctx, { userId }))
    count += 'messages' in page ? page.messages.length : 0
  expect(count).toBe(many)
}

interface Work {
  prepare(): Promise<unknown>
  run(): Promise<unknown>
}
const handlers = () => [...peopleHandlers(ctx), ...subscriptionHandlers(ctx)]
/** Delivers an event as Kafka does, about a person with very many partners. */
const handled = (type: string, data: () => object): Work => ({
  prepare: conversations,
  async run() {
    const handler = handlers().find(({ event }) => event.type === type)
    if (!handler) throw new Error(`messaging does not handle ${type}.`)
    const { value } = toRecord(handler.event, data() as never, { source: 'auth', time: new Date() })
    await handler.handle(JSON.parse(value) as never)
  },
})

const ofHandlers: Record<string, Work> = Object.fromEntries(
  (
    [
      ['auth.user-registered.v1', person],
      ['auth.user-updated.v1', person],
      ['auth.user-purge-requested.v1', () => ({ userId })],
      ['billing.subscription-activated.v1', entitlement],
      ['billing.subscription-ended.v1', entitlement],
    ] as const
  ).map(([type, data]) => [type, handled(type, data)]),
)

const ofJobs: Record<string, Work> = {
  purge: {
    prepare: () => inTurn(messages, conversations, files, () => reports({})),
    run: purge,
  },
  clear: { prepare: () => inTurn(conversations, files), run: clear },
  empty: {
    prepare: () => messages(),
    async run() {
      const { _id: conversationId, memberIds } = busiest()
      for (const memberId of memberIds) await deleteConversation(ctx, { userId: memberId, conversationId })
      await runJobs()
    },
  },
}
const ofManyConversations: Record<string, Work> = {
  'purge of many conversations': { prepare: () => messages(many / 100), run: purge },
  'clear of many conversations': { prepare: () => messages(many / 100), run: clear },
}

const ofRepeatedWork: Record<string, Work> = {
  'publishing expiries of premium': {
    // Each is a transaction of its own.
    prepare: () =>
      insert('entitlements', many, (index) => ({
        ...{ _id: randomUUID(), version: 1 },
        premiumUntil: new Date(Date.now() + (index < 30 ? 0 : 86_400_000)),
      })),
    run: () => publishExpiries(ctx, new Date(Date.now() + 1000)),
  },
  'noting what both members deleted': {
    async prepare() {
      await insertConversations(ctx.connection, userId, many, { isEmptyingDue: true })
      // Each that is noted is a command of its own.
      const some = ctx.connection.collection<ConversationRecord>('conversations').find({ memberIds: userId })
      for (const { _id: id, memberIds } of await some.limit(30).toArray())
        for (const memberId of memberIds)
          await ctx.conversations.clearForReset(memberId, new Date(), [{ id, seq: 1 }])
    },
    run: () => noteDueEmptying(ctx),
  },
  'pruning reports': {
    prepare: () => reports({ closedAt: new Date(Date.now() - 40 * 86_400_000), texts: {} }),
    run: () => pruneReports(ctx, new Date()),
  },
  'removing media without readers': { prepare: files, run: () => sweepMedia(ctx, new Date()) },
}
/** They write row by row what one answer of billing or auth holds, or nothing. */
const rowByRow = [
  'reconciling entitlements with billing',
  'reconciling people with auth',
  'ending reads of hidden media',
]

const ofRoutes: Record<string, Work> = {
  'POST /internal/people/:userId/clear-conversations': {
    prepare: () => inTurn(conversations, files),
    run: () => clearConversations(ctx, { userId, resetAt: new Date() }).catch(() => undefined),
  },
  'DELETE /api/conversations/:id': {
    prepare: () => messages(),
    run: () => deleteConversation(ctx, { userId, conversationId: busiest()._id }),
  },
  'GET /api/export/messages': { prepare: () => messages(3), run: exported },
  'GET /api/export/messages of many conversations': { prepare: () => messages(many / 100), run: exported },
  'POST /api/conversations/:id/report': {
    prepare: () => messages(),
    async run() {
      const found = rowsOf('messages').find(
        { conversationId: busiest()._id },
        { limit: limits.reportedMessages },
      )
      const messageIds = (await found.toArray()).map((row) => (row as unknown as MessageRecord).messageId)
      const about = { userId, conversationId: busiest()._id, messageIds }
      await reportConversation(ctx, { ...about, contents: [], note: undefined })
    },
  },
}

/** Only looks at rows that another part of the product has written. */
const ofLibraries: Record<string, Work> = {
  'the sweep of messages': {
    async prepare() {
      await messages(3)
      await ctx.connection
        .collection('messages')
        .updateMany({ senderId: userId, seq: { $lte: 1000 } }, { $set: { unpublished: true } })
    },
    run: () => ctx.messagePublisher.sweep(new Date()),
  },
  'pruning the outbox': {
    prepare: () => insert('outbox', many, () => ({ _id: randomUUID(), publishedAt: new Date(0) })),
    run: () => ctx.outbox.prune(new Date()),
  },
  'pruning the inbox': {
    prepare: () => insert('inbox', many, () => ({ _id: randomUUID(), recordedAt: new Date(0) })),
    run: () => ctx.inbox.prune(new Date()),
  },
}

it('every handler, job and repeated work of messaging is tried below', () => {
  expect(Object.keys(ofHandlers).sort()).toEqual(
    handlers()
      .map(({ event }) => event.type)
      .sort(),
  )
  expect(Object.keys(ofJobs).sort()).toEqual(Object.keys(jobKinds(ctx)).sort())
  expect([...Object.keys(ofRepeatedWork), ...rowByRow].sort()).toEqual(repeatedWorkOf('messaging'))
})

it.each(
  Object.entries({
    ...ofHandlers,
    ...ofJobs,
    ...ofManyConversations,
    ...ofRepeatedWork,
    ...ofRoutes,
    ...ofLibraries,
  }),
)(
  '%s writes 5,000 rows at most with a command, however much there is',
  async (name, { prepare, run }) => {
    await prepare()
    const commands = await commandsOf(name, run)
    expect(commands.filter(({ rows }) => rows > mostPerCommand)).toEqual([])
  },
  timeoutMs,
)
