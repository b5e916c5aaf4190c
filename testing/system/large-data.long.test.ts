import { randomUUID } from 'node:crypto'
import { getConversation, listConversations, listMessages } from '@sumlock/contracts/messaging-routes'
import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { withDatabase } from '../kit/database.ts'
import { startFaultStack } from '../kit/faults/fault-stack.ts'
import type { FaultStack } from '../kit/faults/fault-stack.ts'
import { fillConversation, memberRowsOf } from '../kit/many-messages.ts'
import { befriend, unlockedPerson } from '../kit/people.ts'
import { processorMs } from '../kit/processor-time.ts'

const sizes = { small: 100, large: 1_000_000 }
const conversations = 10_000
const pageSize = 50
const reads = 300

let stack: FaultStack
beforeAll(async () => {
  stack = await startFaultStack({ logName: 'large-data' })
}, 120_000)
afterAll(() => stack?.stop(), 60_000)

const say = (line: string) => process.stdout.write(`  ${line}\n`)

/** Runs `read` repeatedly and prints the duration of one run and its cost for the services and MongoDB. */
async function measure(name: string, read: (turn: number) => Promise<void>): Promise<void> {
  const pids = [...stack.processes, stack.engines.engine('mongo')].flatMap(({ pid }) => pid ?? [])
  const used = () => pids.reduce((sum, pid) => sum + processorMs(pid), 0)
  const before = used()
  const tookMs: number[] = []
  for (let turn = 0; turn < reads; turn += 1) {
    const startedAt = performance.now()
    await read(turn)
    tookMs.push(performance.now() - startedAt)
  }
  const each = ((used() - before) / reads).toFixed(2)
  const at = (share: number) => (tookMs.sort((a, b) => a - b)[Math.floor(share * reads)] ?? 0).toFixed(1)
  say(`${name}: ${at(0.5)} / ${at(0.95)} / ${at(0.99)} ms, ${each} ms of processor`)
}

it(`reads the newest and any older page of a conversation with ${sizes.large} messages, with every message in its place`, async () => {
  const people = [await unlockedPerson(stack), await unlockedPerson(stack)] as const
  const { client } = people[0]
  for (const [name, size] of Object.entries(sizes)) {
    const other = name === 'small' ? people[1] : await unlockedPerson(stack)
    const { id } = await befriend(people[0], other)
    const memberIds = [people[0].user.id, other.user.id].sort() as [string, string]
    await withDatabase(stack, 'messaging', (database) =>
      fillConversation(database, { id, memberIds, count: size }),
    )
    const page = async (query: { before?: number; limit: number }) => {
      const found = await client.ok(listMessages, { params: { id }, query })
      const last = (query.before ?? size + 1) - 1
      const expected = Array.from({ length: Math.min(query.limit, last) }, (_, at) => last - at).reverse()
      expect(found.map(({ seq }) => seq)).toEqual(expected)
      expect(found.map(({ content }) => parseInt(content, 10))).toEqual(expected)
    }
    await measure(`newest page of ${size}`, () => page({ limit: pageSize }))
    // The pages are spread over the conversation, from message 51 to the middle.
    const deepest = (turn: number) => pageSize + 1 + Math.floor((turn / reads) * (size / 2 - pageSize))
    await measure(`deep page of ${size}`, (turn) => page({ before: deepest(turn), limit: pageSize }))
    expect(await client.ok(getConversation, { params: { id } })).toMatchObject({
      unreadCount: size / 2,
      lastMessage: { seq: size },
    })
  }
}, 900_000)

it(`lists ${conversations} conversations, each once, the latest first, with its newest message and unread count`, async () => {
  const ann = await unlockedPerson(stack)
  const annId = ann.user.id
  const rows = Array.from({ length: conversations }, (_, index) =>
    memberRowsOf(
      { id: randomUUID(), memberIds: [annId, randomUUID()] },
      { at: new Date(Date.UTC(2026, 0, 1) + index * 1000) },
    ).map((row) => ({ ...row, newestSeq: 1 })),
  ).flat()
  const own = rows.filter(({ personId }) => personId === annId)
  const newest = own.map(({ conversationId, otherId, activeAt }, index) => ({
    _id: `${conversationId}:0000000001`,
    messageId: randomUUID(),
    conversationId,
    senderId: otherId,
    memberIds: [annId, otherId],
    seq: 1,
    clientMessageId: randomUUID(),
    content: `message ${index}`,
    messageType: 'text',
    mediaUrl: null,
    createdAt: activeAt,
    counts: [0, 1],
  }))
  await withDatabase(stack, 'messaging', async (database) => {
    await database.collection<{ _id: string }>('members').insertMany(rows)
    await database.collection<{ _id: string }>('messages').insertMany(newest)
  })
  const pageAfter = (before?: string) => ann.client.ok(listConversations, { query: before ? { before } : {} })
  const cursorOf = ({ activeAt, id }: Conversation) => `${Date.parse(activeAt)}_${id}`

  const all: Conversation[] = []
  for (
    let page = await pageAfter();
    page.length > 0;
    page = await pageAfter(cursorOf(all.at(-1) as Conversation))
  )
    all.push(...page)
  expect(all.map(({ id }) => id)).toEqual(rows.map(({ _id }) => _id).reverse())
  expect(all.map(({ lastMessage }) => lastMessage?.content)).toEqual(
    newest.map(({ content }) => content).reverse(),
  )
  expect(new Set(all.map(({ unreadCount }) => unreadCount))).toEqual(new Set([1]))

  await measure(`first page of ${conversations} conversations`, async () => {
    expect(await pageAfter()).toHaveLength(pageSize)
  })
  await measure(`deep page of ${conversations} conversations`, async (turn) => {
    const at = all[Math.floor((turn / reads) * (conversations - pageSize))] as Conversation
    expect(await pageAfter(cursorOf(at))).toHaveLength(pageSize)
  })
}, 300_000)
