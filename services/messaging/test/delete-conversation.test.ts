import {
  deleteConversation,
  listConversations,
  listMessages,
  sendMessage,
  startConversation,
} from '@sumlock/contracts/messaging-routes'
import { withDatabase } from '@sumlock/testing/database'
import { adminPerson, befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { MemberRecord } from '../src/domain/member.ts'
import { noteDueEmptying } from '../src/use-cases/empty-for-both.ts'

let stack: RunningStack
let ann: Person
let ben: Person
let id: string
beforeAll(async () => {
  stack = await sharedStack()
  ;[ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await makePremium(await adminPerson(stack), ann)
  ;({ id } = await befriend(ann, ben))
})

const say = ({ client }: Person, content: string) =>
  client.ok(sendMessage, { body: { conversationId: id, content } })
const remove = ({ client }: Person) => client.call(deleteConversation, { params: { id } })
const listOf = ({ client }: Person) => client.ok(listConversations)
const historyOf = async ({ client }: Person) =>
  (await client.ok(listMessages, { params: { id } })).map(({ content }) => content)
const rowsOf = (conversationId: string) =>
  withDatabase(stack, 'messaging', (database) =>
    database.collection<MemberRecord>('members').find({ conversationId }).toArray(),
  )
const stored = () =>
  withDatabase(stack, 'messaging', async (database) => {
    const messages = await database
      .collection('messages')
      .find({ conversationId: id })
      .sort({ seq: 1 })
      .toArray()
    return messages.map(({ content }) => content as string)
  })

it('a deleted conversation is gone for the one who deleted it, until the next message, and stays for the other', async () => {
  await say(ann, 'one')
  await say(ben, 'two')
  expect(await remove(await unlockedPerson(stack))).toMatchObject({ status: 404 })
  expect(await remove(ann)).toMatchObject({ status: 200 })
  expect(await listOf(ann)).toEqual([])
  expect(await historyOf(ann)).toEqual([])
  expect(await historyOf(ben)).toEqual(['one', 'two'])
  expect(await stored()).toEqual(['one', 'two'])

  const started = await ann.client.call(startConversation, { body: { userCode: ben.user.userCode } })
  expect(started).toMatchObject({ status: 200, body: { id, lastMessage: null, unreadCount: 0 } })
  expect(await remove(ann)).toMatchObject({ status: 200 })
  await say(ben, 'three')
  expect(await listOf(ann)).toMatchObject([{ id, unreadCount: 1, lastMessage: { content: 'three' } }])
  expect(await historyOf(ann)).toEqual(['three'])
})

it('messages that both sides deleted are emptied, keep their numbers, and leave the newest message of the list', async () => {
  await remove(ann)
  expect(await stored()).toEqual(['one', 'two', 'three'])
  await remove(ben)
  await eventually(async () => expect(await stored()).toEqual(['', '', '']))
  expect(await listOf(ben)).toEqual([])
  await eventually(async () => {
    const emptied = await rowsOf(id)
    expect(emptied.map(({ emptiedSeq }) => emptiedSeq)).toEqual([3, 3])
  })
  expect((await say(ann, 'four')).seq).toBe(4)
  expect(await historyOf(ben)).toEqual(['four'])
})

it('what a crash left between a deletion and the emptying is emptied later', async () => {
  const [cal, dee] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await makePremium(await adminPerson(stack), cal)
  const { id: other } = await befriend(cal, dee)
  await cal.client.ok(sendMessage, { body: { conversationId: other, content: 'left behind' } })
  // A crash can leave this state: both have deleted the conversation, and nothing else has happened.
  await withDatabase(stack, 'messaging', (database) =>
    database
      .collection('members')
      .updateMany({ conversationId: other }, { $set: { isEmptyingDue: true, clearedSeq: 1 } }),
  )
  const ctx = await createContext(readConfig(stack.service('messaging').environment))
  try {
    await noteDueEmptying(ctx)
  } finally {
    await ctx.close()
  }
  await withDatabase(stack, 'messaging', async (database) => {
    await eventually(async () => {
      const [message] = await database.collection('messages').find({ conversationId: other }).toArray()
      expect(message?.['content']).toBe('')
    })
    for (const row of await rowsOf(other)) expect(row).not.toHaveProperty('isEmptyingDue')
  })
})
