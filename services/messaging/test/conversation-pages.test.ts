import { randomUUID } from 'node:crypto'
import {
  deleteConversation,
  getConversation,
  listConversations,
  sendMessage,
} from '@sumlock/contracts/messaging-routes'
import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { adminPerson, befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { memberRowsOf } from '@sumlock/testing/many-messages'
import { withDatabase } from '@sumlock/testing/database'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'

let stack: RunningStack
let ann: Person
let ben: Person
/** Ann's oldest conversation, with Ben. */
let id: string
/** The latest come first; several have the same time. */
let others: ReturnType<typeof memberRowsOf>

beforeAll(async () => {
  stack = await sharedStack()
  ;[ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await makePremium(await adminPerson(stack), ann)
  ;({ id } = await befriend(ann, ben))
  const annId = ann.user.id
  const rows = Array.from({ length: 130 }, (_, index) => {
    const at = new Date(Date.now() + 60_000 - Math.floor(index / 7) * 1000)
    return memberRowsOf({ id: randomUUID(), memberIds: [annId, randomUUID()] }, { at })
  }).flat()
  others = rows.filter(({ personId }) => personId === annId)
  const people = others.map(({ otherId }, index) => ({
    _id: otherId,
    username: `Zoë.${index}`,
    userCode: `ABCD-${1000 + index}-X`,
    userCodeKey: `ABCD${1000 + index}X`,
    version: 1,
  }))
  await withDatabase(stack, 'messaging', async (database) => {
    await database.collection<{ _id: string }>('members').insertMany(rows)
    await database.collection<{ _id: string }>('people').insertMany(people)
  })
  others.sort(
    (left, right) =>
      right.activeAt.getTime() - left.activeAt.getTime() ||
      (right.conversationId < left.conversationId ? -1 : 1),
  )
})

const pageOf = ({ client }: Person, query: { before?: string; search?: string } = {}) =>
  client.ok(listConversations, { query })
const cursorAfter = (page: readonly Conversation[]) => {
  const last = page.at(-1) as Conversation
  return `${Date.parse(last.activeAt)}_${last.id}`
}
const idsOf = (list: readonly { id: string }[]) => list.map((row) => row.id)
const pages = async (person: Person) => {
  const first = await pageOf(person)
  const second = await pageOf(person, { before: cursorAfter(first) })
  const third = await pageOf(person, { before: cursorAfter(second) })
  return [first, second, third]
}

it('D-47: a list comes in pages of 50, the latest first, each conversation once, also those of the same time', async () => {
  const found = await pages(ann)
  expect(found.map((page) => page.length)).toEqual([50, 50, 31])
  expect(found.flatMap(idsOf)).toEqual([...others.map(({ conversationId }) => conversationId), id])
})

it('a page is full although conversations between its own are deleted', async () => {
  const deleted = others.slice(3, 23).map(({ conversationId }) => conversationId)
  for (const conversationId of deleted)
    await ann.client.ok(deleteConversation, { params: { id: conversationId } })
  const found = await pages(ann)
  await withDatabase(stack, 'messaging', (database) =>
    database
      .collection('members')
      .updateMany(
        { conversationId: { $in: deleted } },
        { $unset: { isDeleted: '' }, $set: { isListed: true } },
      ),
  )
  expect(found.map((page) => page.length)).toEqual([50, 50, 11])
  const left = others.map((row) => row.conversationId).filter((one) => !deleted.includes(one))
  expect(found.flatMap(idsOf)).toEqual([...left, id])
})

it('a message brings its conversation to the first page by the time its send is acknowledged', async () => {
  const back = (filter: object) =>
    withDatabase(stack, 'messaging', (database) =>
      database
        .collection('members')
        .updateMany({ personId: ann.user.id, ...filter }, [
          { $set: { activeAt: { $subtract: ['$activeAt', 86_400_000] } } },
        ]),
    )
  await back({})
  for (let round = 0; round < 5; round += 1) {
    await back({ conversationId: id })
    const sent = await ben.client.ok(sendMessage, { body: { conversationId: id, content: `no. ${round}` } })
    const [row] = await pageOf(ann)
    expect(row).toMatchObject({ id, activeAt: sent.createdAt, lastMessage: { content: `no. ${round}` } })
  }
})

it('a search finds conversations of all pages by name and code, in any case, and takes no pattern', async () => {
  expect(await pageOf(ann, { search: 'zOË.129' })).toMatchObject([{ otherUser: { username: 'Zoë.129' } }])
  expect(await pageOf(ann, { search: 'abcd 1128' })).toMatchObject([{ otherUser: { username: 'Zoë.128' } }])
  expect(await pageOf(ann, { search: 'Zoë' })).toHaveLength(50)
  expect(await pageOf(ann, { search: '.*' })).toEqual([])
  expect(await pageOf(ann, { search: 'no. 4' })).toEqual([])
  expect(await pageOf(ben, { search: 'Zoë' })).toEqual([])
  const found = await pageOf(ann, { search: 'Zoë' })
  expect(await pageOf(ann, { search: 'Zoë', before: cursorAfter(found) })).toHaveLength(50)
})

it('one conversation is found by its id, unless the list does not contain it', async () => {
  const get = ({ client }: Person, wanted: string) => client.call(getConversation, { params: { id: wanted } })
  const last = others.at(-1)?.conversationId as string
  expect(await get(ann, last)).toMatchObject({ status: 200, body: { id: last } })
  expect(await get(ben, last)).toMatchObject({ status: 404 })
  await ann.client.ok(deleteConversation, { params: { id: last } })
  expect(await get(ann, last)).toMatchObject({ status: 404, body: { code: 'conversation_not_found' } })
})

it('a malformed cursor is refused', async () => {
  for (const before of ['x', '_', `12_${id}`, `1234567890123_${'/'.repeat(36)}`])
    expect(await ann.client.call(listConversations, { query: { before } })).toMatchObject({ status: 400 })
  expect(await pageOf(ann, { before: `9999999999999_${id}` })).toHaveLength(50)
})
