import { randomUUID } from 'node:crypto'
import { limitsChanged } from '@sumlock/contracts/messaging-events'
import { fillConversation } from '@sumlock/testing/many-messages'
import { openNamespace } from '@sumlock/testing/namespace'
import type { Namespace } from '@sumlock/testing/namespace'
import { insertRows } from '@sumlock/testing/walk-bounded-writes'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { newMediaKey } from '../src/domain/media.ts'
import type { MemberRecord } from '../src/domain/member.ts'
import { publishExpiries } from '../src/use-cases/publish-expiries.ts'

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

it('finds reported messages without reading the others of their conversation', async () => {
  const id = randomUUID()
  await fillConversation(ctx.connection, { id, memberIds: [randomUUID(), randomUUID()], count: 300 })
  const stored = await ctx.connection.collection('messages').find({ conversationId: id }).toArray()
  const messageIds = [stored[0], stored[299]].map((row) => String(row?.['messageId']))
  await ctx.connection.db?.command({ profile: 2 })
  const found = await ctx.messages.byMessageIds(id, [...messageIds, randomUUID()])
  await ctx.connection.db?.command({ profile: 0 })
  expect(found.map(({ messageId }) => messageId).sort()).toEqual(messageIds.sort())
  const [read] = await ctx.connection
    .collection('system.profile')
    .find({ 'command.filter.messageId': { $exists: true } })
    .toArray()
  expect(read).toMatchObject({ docsExamined: 2 })
})

it('finds a page of changes without reading further ones, whoever made them', async () => {
  const id = randomUUID()
  const [ann, ben] = [randomUUID(), randomUUID()]
  await fillConversation(ctx.connection, { id, memberIds: [ann, ben], count: 300 })
  const messages = ctx.connection.collection('messages')
  await messages.updateMany({ conversationId: id }, [{ $set: { version: '$seq' } }])
  await messages.updateMany({ conversationId: id, senderId: ann, seq: { $mod: [3, 0] } }, [
    { $set: { own: { sender: { version: { $add: ['$seq', 1000] } } } } },
  ])
  for (const [personId, otherId] of [
    [ann, ben],
    [ben, ann],
  ]) {
    const own = { personId, otherId, conversationId: id, clearedSeq: 0, version: 2000 } as MemberRecord
    await ctx.connection.db?.command({ profile: 2 })
    const page = await ctx.messages.changedSince(own, 100, 10)
    await ctx.connection.db?.command({ profile: 0 })
    expect(page).toHaveLength(10)
    const profile = ctx.connection.collection('system.profile')
    const reads = await profile.find({ 'command.filter.conversationId': id, 'command.limit': 10 }).toArray()
    const examined = reads.reduce((sum, { docsExamined }) => sum + Number(docsExamined), 0)
    expect(examined).toBeGreaterThanOrEqual(10)
    expect(examined).toBeLessThanOrEqual(40)
    await profile.drop()
  }
})

it('looks for messages that vanish at a read without reading the others of their conversation', async () => {
  const id = randomUUID()
  const [ann, ben] = [randomUUID(), randomUUID()]
  await fillConversation(ctx.connection, { id, memberIds: [ann, ben], count: 300 })
  const messages = ctx.connection.collection('messages')
  const vanishing = { vanishMs: 30_000, vanishAt: new Date(Date.now() + 86_400_000), isUnseen: true }
  await messages.updateMany({ conversationId: id, seq: { $in: [10, 11, 290, 291] } }, { $set: vanishing })
  const profile = ctx.connection.collection('system.profile')
  await ctx.connection.db?.command({ profile: 2 })
  await ctx.messages.startTimes({ readerId: ann, conversationIds: [id], upTo: 200 }, ctx.clock.now())
  await ctx.connection.db?.command({ profile: 0 })
  const [read] = await profile.find({ 'command.filter.isUnseen': true }).toArray()
  await profile.drop()
  expect(read).toMatchObject({ docsExamined: 1, nreturned: 1 })
  expect(await messages.countDocuments({ conversationId: id, isUnseen: true })).toBe(3)
})

it('finds the file of a message without reading the others of its sender', async () => {
  const [conversationId, senderId] = [randomUUID(), randomUUID()]
  const named = (index: number) => ({ conversationId, senderId, clientMessageId: String(index) })
  await insertRows(ctx.connection, 'media', 300, (index) => ({
    ...{ _id: newMediaKey(), ownerId: senderId, status: index < 150 ? 'bound' : 'removing' },
    ...{ bound: named(index), countedUntil: new Date(Date.now() + 86_400_000) },
  }))
  const profile = ctx.connection.collection('system.profile')
  await ctx.connection.db?.command({ profile: 2 })
  await ctx.media.removeOfMessage(named(10), newMediaKey())
  await ctx.media.stopCounting([named(20), named(290)], ctx.clock.now())
  await ctx.connection.db?.command({ profile: 0 })
  const writes = await profile
    .find({ op: 'update', ns: /media$/ })
    .sort({ ts: 1 })
    .toArray()
  await profile.drop()
  expect(writes.map(({ nModified }) => nModified as number)).toEqual([1, 1])
  for (const { docsExamined } of writes) expect(docsExamined).toBeLessThanOrEqual(4)
})

it('publishes all expiries of premium when more people lose it at once than one query reads', async () => {
  const now = ctx.clock.now()
  const premiumUntil = new Date(now.getTime() - 1000)
  const people = Array.from({ length: 25 }, () => ({ _id: randomUUID(), premiumUntil, version: 1 }))
  const entitlements = ctx.connection.collection<{ _id: string }>('entitlements')
  await entitlements.insertMany(people)
  await publishExpiries(ctx, now, { atOnce: 10 })
  expect(await entitlements.countDocuments({ announcedEnd: premiumUntil })).toBe(people.length)
  const events = ctx.connection.collection('outbox').find({ topic: new RegExp(`${limitsChanged.topic}$`) })
  const told = (await events.toArray()).flatMap(
    (row) => (JSON.parse(String(row['value'])) as { data: { userIds: string[] } }).data.userIds,
  )
  expect(told.sort()).toEqual(people.map(({ _id }) => _id).sort())
})
