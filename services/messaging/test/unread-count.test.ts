import { randomUUID } from 'node:crypto'
import {
  deleteConversation,
  listConversations,
  markRead,
  sendMessage,
} from '@sumlock/contracts/messaging-routes'
import { setConversationState } from '@sumlock/contracts/conversation-state-routes'
import { adminPerson, befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import type { mongo } from 'mongoose'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { messageKey } from '../src/domain/message.ts'
import type { MessageRecord } from '../src/domain/message.ts'
import { migrations } from '../src/migrations.ts'
import { eraseWhole } from '../src/test-support/erase-whole.ts'

let stack: RunningStack
let ctx: Context
let admin: Person
let ann: Person
let ben: Person
let id: string

beforeAll(async () => {
  stack = await sharedStack()
  ctx = await createContext(readConfig(stack.service('messaging').environment))
  admin = await adminPerson(stack)
})
afterAll(() => ctx.close())
beforeEach(async () => {
  ;[ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await makePremium(admin, ann)
  ;({ id } = await befriend(ann, ben))
})

const messages = () => ctx.connection.collection('messages') as unknown as mongo.Collection<MessageRecord>
const say = ({ client }: Person, content = 'x') =>
  client.ok(sendMessage, { body: { conversationId: id, content } })
const read = ({ client }: Person, seq: number) => client.ok(markRead, { params: { id }, body: { seq } })
const block = ({ client }: Person, isBlocked: boolean) =>
  client.ok(setConversationState, { params: { id }, body: { isBlocked } })
const unreadOf = async ({ client }: Person) =>
  (await client.ok(listConversations)).find((row) => row.id === id)?.unreadCount
/** Counts the messages themselves. */
const scan = (other: Person, readUpTo: number) =>
  messages().countDocuments({
    conversationId: id,
    senderId: other.user.id,
    seq: { $gt: readUpTo },
    isHidden: { $exists: false },
  })
const expectScanned = async (readByAnn: number, readByBen: number) => {
  expect(await unreadOf(ann)).toBe(await scan(ben, readByAnn))
  expect(await unreadOf(ben)).toBe(await scan(ann, readByBen))
}

describe('the unread count', () => {
  it('is the number of messages that the other has sent after the read mark, also when both send at once', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, n) => say(n % 3 === 0 ? ben : ann)))
    await expectScanned(0, 0)
    await Promise.all([read(ann, 17), read(ben, 11)])
    await expectScanned(17, 11)
    await read(ben, 40)
    expect(await unreadOf(ben)).toBe(0)
  })

  it('leaves out what a blocked person sent, before and after unblocking', async () => {
    await say(ben, 'heard')
    await block(ann, true)
    await eventually(async () =>
      expect((await messages().findOne({ _id: messageKey(id, (await say(ben)).seq) }))?.isHidden).toBe(true),
    )
    expect(await unreadOf(ann)).toBe(await scan(ben, 0))
    await block(ann, false)
    await eventually(async () =>
      expect(
        (await messages().findOne({ _id: messageKey(id, (await say(ben)).seq) }))?.isHidden,
      ).toBeUndefined(),
    )
    await expectScanned(0, 0)
  })

  it('and the preview of a row skip any number of hidden messages', async () => {
    await say(ben)
    await block(ann, true)
    // Each replica applies the block within a second.
    await eventually(async () => {
      const sent = [await say(ben), await say(ben), await say(ben)]
      const hidden = await messages().countDocuments({
        _id: { $in: sent.map(({ seq }) => messageKey(id, seq)) },
        isHidden: true,
      })
      expect(hidden).toBe(3)
    })
    const all = await messages().find({ conversationId: id }).sort({ _id: 1 }).toArray()
    const last = all.at(-1) as MessageRecord
    const rowOf = async ({ client }: Person) =>
      (await client.ok(listConversations)).find((row) => row.id === id)
    const shown = all.findLast(({ isHidden }) => !isHidden)?.seq
    const heard = { lastSeq: shown, unreadCount: await scan(ben, 0), lastMessage: { seq: shown } }
    expect(await rowOf(ann)).toMatchObject(heard)
    expect(await rowOf(ben)).toMatchObject({ lastSeq: last.seq })
  })

  it('begins at the deletion for one who deleted the conversation', async () => {
    await say(ben)
    await say(ben)
    await ann.client.ok(deleteConversation, { params: { id } })
    await say(ben)
    expect(await unreadOf(ann)).toBe(1)
  })

  it('is the difference of two messages, however many are between them', async () => {
    await say(ben)
    const first = await messages().findOne({ _id: messageKey(id, 1) })
    const later = async (seq: number, counts: [number, number]) => {
      await messages().insertOne({
        ...(first as MessageRecord),
        _id: messageKey(id, seq),
        seq,
        counts,
        messageId: randomUUID(),
        clientMessageId: randomUUID(),
      })
      await ctx.connection
        .collection('members')
        .updateMany({ conversationId: id }, { $set: { newestSeq: seq } })
    }
    // No message is in between, so a count that scanned would find one.
    const ben0 = first?.memberIds[0] === ben.user.id
    const countsOf = (own: number, others: number): [number, number] => (ben0 ? [others, own] : [own, others])
    await later(100_000, countsOf(99_943, 57))
    expect(await unreadOf(ann)).toBe(57)
    await later(200_000, countsOf(99_943, 100_057))
    expect(await unreadOf(ann)).toBe(100_057)
  })

  it('is zero once the other person is erased', async () => {
    await say(ben)
    expect(await unreadOf(ann)).toBe(1)
    await eraseWhole(ctx, ben.user.id)
    expect(await unreadOf(ann)).toBe(0)
  })
})

it('the migration gives every stored message its counts', async () => {
  for (let n = 0; n < 6; n += 1) await say(n % 3 ? ann : ben)
  const countsOf = async () =>
    (await messages().find({ conversationId: id }).sort({ _id: 1 }).toArray()).map(({ counts }) => counts)
  const before = await countsOf()
  expect(before.at(-1)?.toSorted()).toEqual([2, 4])
  await messages().updateMany({ conversationId: id }, { $unset: { counts: '' } })
  await migrations.find((migration) => migration.id === '0007-message-counts')?.up(ctx.connection)
  expect(await countsOf()).toEqual(before)
})
