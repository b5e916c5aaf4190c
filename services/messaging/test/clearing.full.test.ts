import { randomUUID } from 'node:crypto'
import { begin, fillConversation } from '@sumlock/testing/many-messages'
import { openNamespace } from '@sumlock/testing/namespace'
import type { Namespace } from '@sumlock/testing/namespace'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { newMediaKey, objectPathOf } from '../src/domain/media.ts'
import type { MediaRow } from '../src/domain/media.ts'
import { memberKey } from '../src/domain/member.ts'
import type { MemberRecord } from '../src/domain/member.ts'
import type { MessageRecord } from '../src/domain/message.ts'
import { jobKinds } from '../src/job-kinds.ts'
import { clearConversations } from '../src/use-cases/clear-conversations.ts'
import { deleteConversation } from '../src/use-cases/delete-conversation.ts'
import { emptyPart, noteDueEmptying } from '../src/use-cases/empty-for-both.ts'
import { listConversations } from '../src/use-cases/list-conversations.ts'
import { listMessages } from '../src/use-cases/list-messages.ts'

let namespace: Namespace
let ctx: Context
beforeAll(async () => {
  namespace = await openNamespace()
  ctx = await createContext(readConfig(namespace.environmentOf('messaging')))
})
afterAll(async () => {
  await ctx?.close()
  await namespace?.close()
})

let annId: string
beforeEach(() => void (annId = randomUUID()))

const members = () => ctx.connection.collection<MemberRecord>('members')
const messages = () => ctx.connection.collection<MessageRecord>('messages')
const media = () => ctx.connection.collection<MediaRow>('media')

const fileOf = (ownerId: string): MediaRow => ({
  ...{ _id: newMediaKey(), ownerId, sessionId: 's', status: 'stored', bytes: 1, maxBytes: 1, attempts: [] },
  ...{ uploadUntil: new Date(0), createdAt: new Date(Date.now() - 1000) },
})

async function befriended(count: number, partnerId: string = randomUUID()) {
  const conversation = { id: randomUUID(), memberIds: [annId, partnerId] as const }
  await begin(ctx.connection, [conversation], { at: new Date(Date.now() - 60_000) })
  await fillConversation(ctx.connection, { ...conversation, count })
  await ctx.savePerson({ userId: partnerId, username: 'ben', userCode: 'ABC', version: 1 })
  return { conversationId: conversation.id, partnerId }
}
const contentsOf = async (conversationId: string) =>
  (await messages().find({ conversationId }).sort({ _id: 1 }).toArray()).map(({ content }) => content)
const shownTo = async (userId: string, conversationId: string) =>
  (await listMessages(ctx, { userId, conversationId, limit: 50 })).map(({ seq }) => seq)

it('a conversation that both members delete shows nothing at once, and a job empties it with its media', async () => {
  const { conversationId, partnerId } = await befriended(1200)
  const shown = [fileOf(annId), fileOf(partnerId)] as const
  await media().insertMany([...shown])
  for (const [seq, { _id }] of [
    [2, shown[0]],
    [1150, shown[1]],
  ] as const)
    await messages().updateOne({ conversationId, seq }, { $set: { mediaUrl: objectPathOf(_id) } })

  await deleteConversation(ctx, { userId: annId, conversationId })
  expect(await shownTo(annId, conversationId)).toEqual([])
  expect(await listConversations(ctx, { userId: annId })).toEqual([])
  expect(await ctx.connection.collection('jobs').countDocuments()).toBe(0)
  await deleteConversation(ctx, { userId: partnerId, conversationId })
  expect(await shownTo(partnerId, conversationId)).toEqual([])
  expect((await contentsOf(conversationId)).filter((content) => content === '')).toEqual([])

  await ctx.jobs.run(jobKinds(ctx))
  expect(await contentsOf(conversationId)).toEqual(Array.from({ length: 1200 }, () => ''))
  expect(await messages().countDocuments({ conversationId, mediaUrl: { $ne: null } })).toBe(0)
  const rows = await media()
    .find({ _id: { $in: shown.map(({ _id }) => _id) } })
    .toArray()
  expect(rows.map(({ status }) => status)).toEqual(['removing', 'removing'])
  expect(await members().countDocuments({ isEmptyingDue: true })).toBe(0)
})

it('what a member sends while a job empties what both deleted stays', async () => {
  const { conversationId, partnerId } = await befriended(600)
  for (const userId of [annId, partnerId]) await deleteConversation(ctx, { userId, conversationId })
  const [last] = await messages().find({ conversationId }).sort({ _id: -1 }).limit(1).toArray()
  await messages().insertOne({
    ...(last as MessageRecord),
    ...{ _id: `${conversationId}:0000000601`, seq: 601, messageId: 'later', clientMessageId: 'later' },
  })
  await ctx.jobs.run(jobKinds(ctx))
  expect((await contentsOf(conversationId)).filter((content) => content !== '')).toHaveLength(1)
  expect(await shownTo(annId, conversationId)).toEqual([601])
})

it('a further deletion of what a job has emptied, or has begun to, empties nothing again', async () => {
  const { conversationId, partnerId } = await befriended(1200)
  const remove = (userId: string) => deleteConversation(ctx, { userId, conversationId })
  await remove(annId)
  await remove(partnerId)
  const job = { subject: memberKey(partnerId, conversationId) }
  expect(await emptyPart(ctx, job)).toEqual({ after: 500 })
  // The job was requested again, so it begins without progress.
  expect(await emptyPart(ctx, job)).toEqual({ after: 1000 })
  await ctx.jobs.run(jobKinds(ctx))
  expect(await contentsOf(conversationId)).toEqual(Array.from({ length: 1200 }, () => ''))

  for (const userId of [annId, partnerId]) await remove(userId)
  expect(await ctx.connection.collection('jobs').countDocuments()).toBe(0)

  const [last] = await messages().find({ conversationId }).sort({ _id: -1 }).limit(1).toArray()
  await messages().insertOne({
    ...(last as MessageRecord),
    ...{ _id: `${conversationId}:0000001201`, seq: 1201, messageId: 'new', clientMessageId: 'new' },
    content: 'new',
  })
  for (const userId of [annId, partnerId]) await remove(userId)
  await ctx.jobs.run(jobKinds(ctx))
  expect(await contentsOf(conversationId)).toEqual(Array.from({ length: 1201 }, () => ''))
})

describe('a reset of the app', () => {
  const many = 1100
  /** Begins more conversations than one command clears. */
  const manyConversations = async () => {
    const begun = Array.from({ length: many }, () => ({
      id: randomUUID(),
      memberIds: [annId, randomUUID()] as const,
    }))
    await begin(ctx.connection, begun, { at: new Date(Date.now() - 60_000) })
    await media().insertMany(Array.from({ length: many }, () => fileOf(annId)))
  }
  const uncleared = () => members().countDocuments({ personId: annId, isDeleted: { $exists: false } })
  const readable = () => media().countDocuments({ ownerId: annId, status: { $ne: 'removing' } })

  it('clears every conversation, at the message that was the newest at that time', async () => {
    const { conversationId, partnerId } = await befriended(30)
    // The call came late.
    const resetAt = new Date(Date.now() - 20_000)
    const [before, after] = [-1000, 10_000].map((ms) => new Date(resetAt.getTime() + ms)) as [Date, Date]
    await messages().updateMany({ conversationId }, { $set: { createdAt: before } })
    await messages().updateOne({ conversationId, seq: 30 }, { $set: { createdAt: after } })
    const begun = { id: randomUUID(), memberIds: [annId, randomUUID()] as const }
    await begin(ctx.connection, [begun], { at: after })
    const { conversationId: empty } = await befriended(0)
    await clearConversations(ctx, { userId: annId, resetAt })
    expect(await shownTo(annId, conversationId)).toEqual([30])
    expect(await shownTo(partnerId, conversationId)).toHaveLength(30)
    const listed = (await listConversations(ctx, { userId: annId })).map(({ id }) => id)
    expect(listed.sort()).toEqual([begun.id, conversationId].sort())
    expect(listed).not.toContain(empty)
  })

  it('has ended when it is answered, also for a person with very many conversations and files', async () => {
    await manyConversations()
    await clearConversations(ctx, { userId: annId, resetAt: new Date() }, { withinMs: Infinity })
    expect(await uncleared()).toBe(0)
    expect(await readable()).toBe(0)
  })

  it('that takes too long for an answer is refused for now, and a job ends it', async () => {
    await manyConversations()
    const reset = { userId: annId, resetAt: new Date() }
    const refused = clearConversations(ctx, reset, { withinMs: 0 })
    await expect(refused).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await uncleared()).toBe(many - 500)
    await ctx.jobs.run(jobKinds(ctx))
    expect(await uncleared()).toBe(0)
    expect(await readable()).toBe(0)
    await clearConversations(ctx, reset, { withinMs: 0 })
  })

  it('has what both members deleted emptied', async () => {
    const { conversationId, partnerId } = await befriended(10)
    await deleteConversation(ctx, { userId: partnerId, conversationId })
    await clearConversations(ctx, { userId: annId, resetAt: new Date() })
    await noteDueEmptying(ctx)
    await ctx.jobs.run(jobKinds(ctx))
    expect(await contentsOf(conversationId)).toEqual(Array.from({ length: 10 }, () => ''))
  })
})
