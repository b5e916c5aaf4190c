import { randomUUID } from 'node:crypto'
import { toRecord } from '@sumlock/bus/envelope'
import type { Entitlement } from '@sumlock/contracts/internal-routes'
import { limits } from '@sumlock/contracts/limits'
import { fillPerson } from '@sumlock/testing/many-messages'
import { insertRows, many, walkBoundedWrites } from '@sumlock/testing/walk-bounded-writes'
import type { HeavyWork } from '@sumlock/testing/walk-bounded-writes'
import { readConfig } from '../src/config.ts'
import { peopleHandlers } from '../src/consumers/people.ts'
import { subscriptionHandlers } from '../src/consumers/subscriptions.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import type { MemberRecord } from '../src/domain/member.ts'
import type { MessageRecord } from '../src/domain/message.ts'
import { jobKinds } from '../src/job-kinds.ts'
import { applyEntitlement } from '../src/use-cases/apply-entitlement.ts'
import { applyPerson } from '../src/use-cases/apply-person.ts'
import { clearConversations } from '../src/use-cases/clear-conversations.ts'
import { deleteConversation } from '../src/use-cases/delete-conversation.ts'
import { noteDueEmptying } from '../src/use-cases/empty-for-both.ts'
import { eraseVanished } from '../src/use-cases/erase-vanished.ts'
import { exportMessages } from '../src/use-cases/export-messages.ts'
import { markRead } from '../src/use-cases/mark-read.ts'
import { pruneReports } from '../src/use-cases/prune-reports.ts'
import { publishExpiries } from '../src/use-cases/publish-expiries.ts'
import { reportConversation } from '../src/use-cases/report-conversation.ts'
import { sweepMedia } from '../src/use-cases/sweep-media.ts'
import { insertConversations, insertFiles, insertReports } from './insert-rows.ts'

/** One command may not write this many, and no real person has as many. */
const manyPeople = 6000

let ctx: Context
const rowsOf = (name: string) => ctx.connection.collection<{ _id: string }>(name)
const insert = (name: string, count: number, row: (index: number) => object) =>
  insertRows(ctx.connection, name, count, row)

/** A person with a very large number of everything. */
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
const acts = () =>
  insert('admin_actions', many, () => ({ _id: randomUUID(), adminId: userId, personIds: [userId] }))
const inTurn = async (...parts: (() => Promise<unknown>)[]) => {
  for (const part of parts) await part()
}
/** Stores messages of two people, all of which vanish. */
const vanishing = async (more: Partial<MessageRecord>) => {
  await messages()
  await ctx.connection.collection('messages').updateMany({}, { $set: { vanishMs: 30_000, ...more } })
}
const runJobs = () => ctx.jobs.run(jobKinds(ctx))
const purge = async () => {
  await ctx.jobs.request('purge', userId)
  await runJobs()
}
const clear = async () => {
  await ctx.jobs.request('clear', userId, { resetAt: new Date() })
  await runJobs()
}

const person = () => ({ userId, username: 'ann', userCode: 'ABC', version: 1, isLeaving: false })
const entitlement = (): Entitlement => ({
  ...{ userId, subscriptionType: 'premium', version: 2 },
  subscriptionExpiresAt: '2058-01-01T00:00:00.000Z',
})

const handlers = () => [...peopleHandlers(ctx, () => undefined), ...subscriptionHandlers(() => undefined)]
/** Delivers an event as Kafka does, about a person with very many partners. */
const handled = (type: string, rows: number): HeavyWork => ({
  prepare: conversations,
  async run() {
    const handler = handlers().find(({ event }) => event.type === type)
    if (!handler) throw new Error(`messaging does not handle ${type}.`)
    const { value } = toRecord(handler.event, { userId }, { source: 'auth', time: new Date() })
    await handler.handle(JSON.parse(value) as never)
  },
  rows,
})

const deletedByBoth = async () => {
  const { id: conversationId, memberIds } = busiest()
  for (const memberId of memberIds) await deleteConversation(ctx, { userId: memberId, conversationId })
  await runJobs()
}

const exported = async () => {
  let count = 0
  for await (const page of exportMessages(ctx, { userId }))
    count += 'messages' in page ? page.messages.length : 0
  expect(count).toBe(many)
}
const reported = async () => {
  const conversationId = busiest().id
  const found = rowsOf('messages').find({ conversationId }, { limit: limits.reportedMessages })
  const messageIds = (await found.toArray()).map((row) => (row as unknown as MessageRecord).messageId)
  await reportConversation(ctx, { userId, conversationId, messageIds, contents: [], note: undefined })
}

walkBoundedWrites('messaging', {
  async open(environment) {
    const opened = await createContext(readConfig(environment))
    const purges = { ...opened.purges, confirm: () => Promise.resolve({ isRepeated: false }) }
    return (ctx = { ...opened, purges })
  },
  work: {
    'auth.user-registered.v1': handled('auth.user-registered.v1', 0),
    'auth.user-updated.v1': handled('auth.user-updated.v1', 0),
    'auth.user-purge-requested.v1': handled('auth.user-purge-requested.v1', 1),
    'billing.subscription-activated.v1': handled('billing.subscription-activated.v1', 0),
    'billing.subscription-ended.v1': handled('billing.subscription-ended.v1', 0),
    purge: {
      prepare: () => inTurn(messages, conversations, files, () => reports({}), acts),
      run: purge,
      rows: 4 * many,
    },
    clear: { prepare: () => inTurn(conversations, files), run: clear, rows: many + manyPeople },
    empty: {
      prepare: () => messages(),
      run: deletedByBoth,
      rows: many,
    },
    'publishing expiries of premium': {
      // Each takes a transaction of its own.
      prepare: () =>
        insert('entitlements', many, (index) => ({
          ...{ _id: randomUUID(), version: 1 },
          premiumUntil: new Date(Date.now() + (index < 30 ? 0 : 86_400_000)),
        })),
      run: () => publishExpiries(ctx, new Date(Date.now() + 1000)),
      rows: 30,
    },
    'noting what both members deleted': {
      async prepare() {
        await insertConversations(ctx.connection, userId, many, { isEmptyingDue: true })
        // Each recorded one takes a command of its own.
        const some = ctx.connection.collection<MemberRecord>('members').find({ personId: userId })
        for (const { conversationId: id, otherId } of await some.limit(30).toArray())
          for (const memberId of [userId, otherId])
            await ctx.memberClearing.clearForReset(memberId, new Date(), [{ id, seq: 1 }])
      },
      run: () => noteDueEmptying(ctx),
      rows: many,
    },
    'pruning reports': {
      prepare: () => reports({ closedAt: new Date(Date.now() - 40 * 86_400_000), texts: {} }),
      run: () => pruneReports(ctx, new Date()),
      rows: many,
    },
    // A sweep reads a hundred rows at once, and removes each file by itself.
    'removing media without readers': {
      prepare: () => insertFiles(ctx.connection, userId, 250),
      run: () => sweepMedia(ctx, new Date()),
      rows: 250,
    },
    'erasing vanished messages': {
      prepare: () => vanishing({ vanishAt: new Date() }),
      run: () => eraseVanished(ctx, new Date()),
      rows: many,
    },
  },
  besides: {
    'a person who is leaving': { prepare: conversations, run: () => applyPerson(ctx, person()), rows: 1 },
    'a change of premium': {
      prepare: conversations,
      run: () => applyEntitlement(ctx, entitlement()),
      rows: 1,
    },
    'purge of many conversations': { prepare: () => messages(many / 100), run: purge, rows: many },
    'clear of many conversations': { prepare: () => messages(many / 100), run: clear, rows: many / 100 },
    'POST /internal/people/:userId/clear-conversations': {
      prepare: () => inTurn(conversations, files),
      run: () => clearConversations(ctx, { userId, resetAt: new Date() }).catch(() => undefined),
      rows: 2,
    },
    'DELETE /api/conversations/:id': {
      prepare: () => messages(),
      run: () => deleteConversation(ctx, { userId, conversationId: busiest().id }),
      rows: 2,
    },
    'erasing opened messages': {
      prepare: () => vanishing({ vanishAt: new Date(), isOnce: true, open: { isTold: true } }),
      run: () => eraseVanished(ctx, new Date()),
      rows: many,
    },
    'deletion by both of messages that open once': {
      prepare: () => inTurn(() => vanishing({ isOnce: true }), files),
      run: deletedByBoth,
      rows: many,
    },
    'POST /api/conversations/:id/read of messages that vanish': {
      prepare: () => vanishing({ vanishAt: new Date(Date.now() + 86_400_000), isUnseen: true }),
      run: () => markRead(ctx, { userId, conversationId: busiest().id, seq: many }),
      rows: many / 2,
    },
    'GET /api/export/messages': { prepare: () => messages(3), run: exported, rows: 0 },
    'GET /api/export/messages of many conversations': {
      prepare: () => messages(many / 100),
      run: exported,
      rows: 0,
    },
    'POST /api/conversations/:id/report': { prepare: () => messages(), run: reported, rows: 1 },
    'the sweep of messages': {
      async prepare() {
        await messages(3)
        await ctx.connection
          .collection('messages')
          .updateMany({ senderId: userId, seq: { $lte: 1000 } }, { $set: { unpublished: true } })
      },
      run: () => ctx.messagePublisher.sweep(new Date()),
      rows: 1000,
    },
  },
})
