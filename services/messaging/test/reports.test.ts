import { randomUUID } from 'node:crypto'
import { closeReport, listReports, reportConversation } from '@sumlock/contracts/conversation-state-routes'
import { limits } from '@sumlock/contracts/limits'
import { deleteConversation, sendMessage } from '@sumlock/contracts/messaging-routes'
import { databaseOwners } from '@sumlock/deployment/provision'
import { withDatabase } from '@sumlock/testing/database'
import { adminPerson, befriend, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import { migrations } from '../src/migrations.ts'
import { pruneReports } from '../src/use-cases/prune-reports.ts'

let stack: RunningStack
let admin: Person
beforeAll(async () => {
  stack = await sharedStack()
  admin = await adminPerson(stack)
})

const dayMs = 86_400_000
const closed = { status: 200, body: { ok: true } }

/** Two people, and the id of a message that the first one received. */
async function pair() {
  const [ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  const { id } = await befriend(ann, ben)
  const sent = await ben.client.ok(sendMessage, { body: { conversationId: id, content: 'as it was sent' } })
  return { ann, ben, id, messageId: sent.id }
}
const report = ({ client }: Person, id: string, body: object) =>
  client.call(reportConversation, { params: { id }, body: body })
const close = ({ client }: Person, reportId: string) => client.call(closeReport, { params: { reportId } })
const listed = async (by: Person) =>
  (await admin.client.ok(listReports)).filter(({ reportedBy }) => reportedBy === by.username)
const rowsOf = (by: Person) =>
  withDatabase(stack, 'messaging', (database) =>
    database.collection('reports').find({ reporterId: by.user.id }).sort({ createdAt: 1 }).toArray(),
  )

/** Prunes with messaging's own context, this many days later. */
async function pruneAfter(days: number): Promise<void> {
  const { environment } = stack.service('messaging')
  const ctx = await createContext(readConfig({ ...environment, CLOCK_OFFSET_MS: String(days * dayMs) }))
  try {
    await pruneReports(ctx, ctx.clock.now())
  } finally {
    await ctx.close()
  }
}

async function foundInDatabases(text: string): Promise<string[]> {
  const found: string[] = []
  for (const owner of databaseOwners)
    await withDatabase(stack, owner, async (database) => {
      for (const { name } of await database.listCollections()) {
        const documents = await database.collection(name).find().toArray()
        if (JSON.stringify(documents).includes(text)) found.push(`${owner}.${name}`)
      }
    })
  return found
}

it('a report names messages that the reporter is shown, and reaches the admins', async () => {
  const { ann, ben, id, messageId } = await pair()
  const eve = await unlockedPerson(stack)
  expect(await report(eve, id, { messageIds: [messageId] })).toMatchObject({ status: 404 })
  const elsewhere = (await pair()).messageId
  for (const messageIds of [[randomUUID()], [messageId, elsewhere]])
    expect(await report(ann, id, { messageIds })).toMatchObject({
      status: 404,
      body: { code: 'message_not_found' },
    })
  expect(await listed(ann)).toEqual([])
  expect(await report(ann, id, { messageIds: [messageId], note: ' He is rude ' })).toMatchObject({
    status: 201,
  })
  expect(await listed(ann)).toEqual([
    {
      id: expect.any(String),
      reportedBy: ann.username,
      reported: ben.username,
      reportedUserId: ben.user.id,
      conversationId: id,
      messages: [{ id: messageId }],
      note: 'He is rude',
      createdAt: expect.any(String),
      closedAt: null,
    },
  ])
  expect(await ann.client.call(listReports)).toMatchObject({ status: 403 })
  await ann.client.ok(deleteConversation, { params: { id } })
  expect(await report(ann, id, { messageIds: [messageId] })).toMatchObject({ status: 404 })
})

it('a text attached to a report is shown to the admins, and is in no database', async () => {
  const { ann, ben, id } = await pair()
  const sent = await ann.client.ok(sendMessage, { body: { conversationId: id, content: 'not attached' } })
  const text = `canary of a report ${randomUUID()}`
  const messageIds = [sent.id]
  expect(await report(ben, id, { messageIds, contents: [{ id: sent.id, text }] })).toMatchObject({
    status: 201,
  })
  // The text comes from the reporter; the message says something else.
  expect(await listed(ben)).toMatchObject([{ messages: [{ id: sent.id, text }] }])
  const [row] = await rowsOf(ben)
  expect(row?.['messages']).toEqual([{ id: sent.id }])
  expect(Object.keys(row?.['texts'] as object).sort()).toEqual(['ciphertext', 'iv', 'keyId', 'tag'])
  expect(await foundInDatabases(text)).toEqual([])
  // The search finds a text that is stored unsealed.
  expect(await foundInDatabases(sent.id)).toEqual(
    expect.arrayContaining(['messaging.messages', 'messaging.reports']),
  )
})

it('texts that a thief moves to another report are not shown there', async () => {
  const { ann, id, messageId } = await pair()
  const messageIds = [messageId]
  await report(ann, id, { messageIds, contents: [{ id: messageId, text: 'of the first one' }] })
  await report(ann, id, { messageIds })
  const [first, second] = await rowsOf(ann)
  await withDatabase(stack, 'messaging', (database) =>
    database
      .collection('reports')
      .updateOne({ _id: second?._id as never }, { $set: { texts: first?.['texts'] as object } }),
  )
  expect((await listed(ann)).map(({ messages }) => messages[0]?.text)).toEqual([
    undefined,
    'of the first one',
  ])
})

describe('a report is refused', () => {
  const ids = Array.from({ length: 6 }, () => randomUUID())
  const textOf = (length: number) => (id: string) => ({ id, text: 'x'.repeat(length) })
  it.each([
    ['a text to a message that it does not name', { messageIds: ids.slice(1), contents: ids.map(textOf(1)) }],
    ['two texts to one message', { messageIds: ids, contents: [ids[0], ids[0]].map(String).map(textOf(1)) }],
    ['an empty text', { messageIds: ids, contents: ids.map(textOf(0)) }],
    ['a text that is longer than a message', { messageIds: ids, contents: [ids[0] ?? ''].map(textOf(4001)) }],
    ['too much text in all', { messageIds: ids, contents: ids.map(textOf(3334)) }],
    ['the field of an earlier release', { messageIds: ids, withContent: true }],
  ])('with 400 for %s', async (_name, body) => {
    const { ann, id } = await pair()
    expect(await report(ann, id, body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect(await rowsOf(ann)).toEqual([])
  })

  it('for its messages only, when its texts are as long as they may be', async () => {
    const { ann, id } = await pair()
    // JSON escapes these characters.
    const contents = ids.slice(1).map((one) => ({ id: one, text: '\u0001'.repeat(4000) }))
    expect(limits.reportedTextsMaxLength).toBe(contents.length * 4000)
    expect(await report(ann, id, { messageIds: ids.slice(1), contents })).toMatchObject({
      status: 404,
      body: { code: 'message_not_found' },
    })
  })
})

it('reports are accepted ten times a day, also when more are sent at once', async () => {
  const { ben, id } = await pair()
  ben.client.keptToken = await ben.client.csrfToken()
  const answers = await Promise.all(Array.from({ length: 15 }, () => report(ben, id, {})))
  const statuses = answers.map(({ status }) => status).sort((left, right) => left - right)
  expect(statuses).toEqual([...Array(10).fill(201), ...Array(5).fill(429)])
})

describe('a closed report', () => {
  it('stands behind the open ones, is closed by admins only, and keeps its time when it is closed again', async () => {
    const { ann, id } = await pair()
    for (const note of ['first', 'second']) await report(ann, id, { note })
    const [second] = await listed(ann)
    expect(second).toMatchObject({ note: 'second', closedAt: null })
    expect(await close(ann, String(second?.id))).toMatchObject({ status: 403 })
    expect(await close(admin, String(second?.id))).toMatchObject(closed)
    const after = await listed(ann)
    expect(after).toMatchObject([
      { note: 'first', closedAt: null },
      { note: 'second', closedAt: expect.any(String) },
    ])
    expect(await close(admin, String(second?.id))).toMatchObject(closed)
    expect(await listed(ann)).toEqual(after)
  })

  it('is not found when there is none of this id', async () => {
    const { ann } = await pair()
    for (const [reportId, status] of [
      [`${ann.user.id}.2026-11-24.1`, 404],
      [`${ann.user.id}|2026-11-24|1`, 400],
      [ann.user.id, 400],
    ] as const)
      expect(await close(admin, reportId)).toMatchObject({ status })
  })

  it('loses its texts 30 days after it was closed, and an open one keeps them', async () => {
    const { ann, id, messageId } = await pair()
    for (const text of ['of the open one', 'of the closed one'])
      await report(ann, id, { messageIds: [messageId], contents: [{ id: messageId, text }] })
    const [newest] = await listed(ann)
    await close(admin, String(newest?.id))
    const texts = async () => (await listed(ann)).map(({ messages }) => messages[0]?.text)

    await pruneAfter(29.9)
    expect(await texts()).toEqual(['of the open one', 'of the closed one'])
    await pruneAfter(30.1)
    expect(await texts()).toEqual(['of the open one', undefined])
    const [open, over] = await rowsOf(ann)
    expect(open).toHaveProperty('texts')
    expect(over).not.toHaveProperty('texts')
    expect(over).toMatchObject({ messages: [{ id: messageId }], closedAt: expect.any(Date) })
  })
})

it('texts that were stored unsealed are dropped by the migration', async () => {
  const { ann, ben, id, messageId } = await pair()
  await withDatabase(stack, 'messaging', async (database) => {
    await database.collection('reports').insertOne({
      _id: `${ann.user.id}|2026-11-01|1` as never,
      reporterId: ann.user.id,
      reportedId: ben.user.id,
      conversationId: id,
      messages: [{ id: messageId, content: 'as it was sent' }, { id: randomUUID() }],
      note: null,
      createdAt: new Date(),
    })
    expect(JSON.stringify(await rowsOf(ann))).toContain('as it was sent')
    await migrations.find((one) => one.id === '0005-closed-reports')?.up(database)
  })
  expect(JSON.stringify(await rowsOf(ann))).not.toContain('as it was sent')
  expect(await listed(ann)).toHaveLength(1)
})

it('open reports, closed ones and old texts are found by indexes', async () => {
  const plans = await withDatabase(stack, 'messaging', async (database) => {
    const reports = database.collection('reports')
    const queries = [
      reports.find({ closedAt: null }).sort({ createdAt: -1 }),
      reports.find({ closedAt: { $type: 'date' } }).sort({ closedAt: -1 }),
      reports.find({ closedAt: { $lte: new Date() }, texts: { $exists: true } }),
    ]
    return Promise.all(queries.map((query) => query.explain('queryPlanner')))
  })
  for (const plan of plans) {
    const { winningPlan } = (plan as unknown as { queryPlanner: { winningPlan: object } }).queryPlanner
    expect(JSON.stringify(winningPlan)).toMatch(/"indexName":"(closedAt|texts)"/)
    expect(JSON.stringify(winningPlan)).not.toContain('"SORT"')
  }
})
