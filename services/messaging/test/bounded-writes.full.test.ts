import { randomUUID } from 'node:crypto'
import { toRecord } from '@sumlock/bus/envelope'
import { conversationOf, fillConversation } from '@sumlock/testing/many-messages'
import { openNamespace } from '@sumlock/testing/namespace'
import type { Namespace } from '@sumlock/testing/namespace'
import { repeatedWorkOf } from '@sumlock/testing/repeated-work'
import { monitored, watchWrites } from '@sumlock/testing/watch-writes'
import type { WrittenRows } from '@sumlock/testing/watch-writes'
import mongoose from 'mongoose'
import { readConfig } from '../src/config.ts'
import { peopleHandlers } from '../src/consumers/people.ts'
import { subscriptionHandlers } from '../src/consumers/subscriptions.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { newMediaKey } from '../src/domain/media.ts'
import { jobKinds } from '../src/job-kinds.ts'
import { clearConversations } from '../src/use-cases/clear-conversations.ts'
import { deleteConversation } from '../src/use-cases/delete-conversation.ts'
import { noteDueEmptying } from '../src/use-cases/empty-for-both.ts'
import { pruneReports } from '../src/use-cases/prune-reports.ts'
import { publishExpiries } from '../src/use-cases/publish-expiries.ts'
import { sweepMedia } from '../src/use-cases/sweep-media.ts'

/** More than one command may write. */
const many = 6000
const mostPerCommand = 5000

let namespace: Namespace
let ctx: Context
const writes: WrittenRows[] = []
beforeAll(async () => {
  namespace = await openNamespace()
  const environment = namespace.environmentOf('messaging')
  ctx = await createContext(
    readConfig({ ...environment, MONGO_URL: monitored(String(environment['MONGO_URL'])) }),
  )
  watchWrites(
    mongoose.connections.filter(({ readyState }) => readyState === mongoose.ConnectionStates.connected),
    (written) => writes.push(written),
  )
})
afterAll(async () => {
  await ctx?.close()
  await namespace?.close()
})

const rowsOf = (name: string) => ctx.connection.collection<{ _id: string }>(name)
const insert = async (name: string, count: number, row: (index: number) => object) => {
  for (let from = 0; from < count; from += 1000) {
    const part = Array.from({ length: Math.min(1000, count - from) }, (_, at) => row(from + at))
    await rowsOf(name).insertMany(part as never)
  }
}
const at = new Date(Date.now() - 3_600_000)

/** A person with very much of all, and the conversation with most messages. */
let userId: string
let busy: ReturnType<typeof conversationOf>
beforeEach(async () => {
  await rowsOf('jobs').deleteMany({})
  userId = randomUUID()
  busy = conversationOf([userId, randomUUID()], { at })
})
const messages = async () => {
  await rowsOf('conversations').insertOne(busy)
  const memberIds = busy.memberIds as [string, string]
  await fillConversation(ctx.connection, { id: busy._id, memberIds, count: many })
}
const conversations = (count = many) =>
  insert('conversations', count, () => conversationOf([userId, randomUUID()], { at }))
const files = () =>
  insert('media', many, () => ({
    ...{ _id: newMediaKey(), ownerId: userId, sessionId: 's', status: 'stored', bytes: 1, maxBytes: 1 },
    ...{ attempts: [], uploadUntil: at, createdAt: at },
  }))
const reports = (more: object) =>
  insert('reports', many, (index) => ({
    ...{ _id: `${userId}|${index}`, reporterId: userId, reportedId: 'r', conversationId: 'c' },
    ...{ messages: [{ id: 'm' }], note: null, createdAt: at, ...more },
  }))
const inTurn = async (...parts: (() => Promise<unknown>)[]) => {
  for (const part of parts) await part()
}
const runJobs = () => ctx.jobs.run(jobKinds(ctx))

const person = () => ({ userId, username: 'ann', userCode: 'ABC', version: 1, isLeaving: false })
const entitlement = () => ({ userId, isPremium: true, premiumUntil: new Date().toISOString(), version: 2 })

interface Work {
  prepare(): Promise<unknown>
  run(): Promise<unknown>
}
const handlers = () => [...peopleHandlers(ctx), ...subscriptionHandlers(ctx)]
/** Delivers an event as Kafka does, about a person with very many partners. */
const handled = (type: string, data: () => object): Work => ({
  prepare: () => conversations(),
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
    prepare: () =>
      // The members of each are replaced by commands of their own.
      inTurn(
        messages,
        () => conversations(30),
        files,
        () => reports({}),
      ),
    async run() {
      await ctx.jobs.request('purge', userId, { eventId: randomUUID(), isRepeated: false })
      await runJobs()
    },
  },
  clear: {
    prepare: () => inTurn(() => conversations(), files),
    async run() {
      await ctx.jobs.request('clear', userId, { resetAt: new Date() })
      await runJobs()
    },
  },
  empty: {
    prepare: messages,
    async run() {
      for (const memberId of busy.memberIds)
        await deleteConversation(ctx, { userId: memberId, conversationId: busy._id })
      await runJobs()
    },
  },
}

const ofRepeatedWork: Record<string, Work> = {
  'publishing expiries of premium': {
    // Each is a transaction of its own.
    prepare: () =>
      insert('entitlements', 30, () => ({ _id: randomUUID(), premiumUntil: new Date(), version: 1 })),
    run: () => publishExpiries(ctx, new Date(Date.now() + 1000)),
  },
  'noting what both members deleted': {
    prepare: () =>
      insert('conversations', many, (index) => {
        const row = conversationOf([userId, randomUUID()], { at })
        const cleared = { lastReadSeq: 0, clearedBeforeSeq: 1 }
        // Each that is noted is a command of its own.
        const members =
          index < 30 ? Object.fromEntries(row.memberIds.map((id) => [id, cleared])) : row.members
        return { ...row, members, isEmptyingDue: true }
      }),
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
    prepare: () => inTurn(() => conversations(), files),
    run: () => clearConversations(ctx, { userId, resetAt: new Date() }).catch(() => undefined),
  },
  'DELETE /api/conversations/:id': {
    prepare: messages,
    run: () => deleteConversation(ctx, { userId, conversationId: busy._id }),
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

it.each(Object.entries({ ...ofHandlers, ...ofJobs, ...ofRepeatedWork, ...ofRoutes }))(
  '%s writes 5,000 rows at most with a command, however much there is',
  async (_name, { prepare, run }) => {
    await prepare()
    writes.length = 0
    await run()
    expect(writes.filter(({ rows }) => rows > mostPerCommand)).toEqual([])
  },
)
