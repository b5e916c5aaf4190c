import { randomUUID } from 'node:crypto'
import { changeMessage } from '@sumlock/contracts/act-routes'
import {
  setConversationPreferences,
  setConversationState,
} from '@sumlock/contracts/conversation-state-routes'
import { getStorage } from '@sumlock/contracts/media-routes'
import {
  deleteConversation,
  listMessages,
  markRead,
  sendMessage,
  startConversation,
} from '@sumlock/contracts/messaging-routes'
import { utcDay } from '@sumlock/service-kit/clock'
import { get, someBytes, upload } from '@sumlock/testing/media'
import { unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { createSockets, nextEvent } from '@sumlock/testing/socket'
import { eventually } from '@sumlock/testing/wait'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { eraseWhole } from '../src/test-support/erase-whole.ts'
import { unsendMessage } from '../src/use-cases/unsend-message.ts'
import { isAnywhere, twoPeople } from './acts.ts'

let stack: RunningStack
let ctx: Context
const sockets = createSockets()
beforeAll(async () => {
  stack = await sharedStack()
  ctx = await createContext(readConfig(stack.service('messaging').environment))
})
afterAll(async () => {
  sockets.close()
  await ctx?.close()
})

const never = ({ user }: Person, clientMessageId: string = randomUUID()) => ({
  senderId: user.id,
  clientMessageId,
})

it('a message that was taken back is empty for both everywhere, keeps its place, and says so', async () => {
  const { ann, ben, say, unsend, history, row, exported, changed, stored } = await twoPeople(stack)
  await say(ann, 'first')
  const text = `take me back ${randomUUID()}`
  const sent = await say(ann, text)
  const before = await row(ben)
  const live = await sockets.open(ben)
  const told = nextEvent(live, ({ type }) => type === 'message_changed')

  const empty = { content: '', messageType: 'text', mediaUrl: null, isUnsent: true, version: 1 }
  const { id, seq, createdAt } = sent
  const answer = await unsend(ann, sent)
  expect(answer).toMatchObject({ status: 201, body: { ...empty, id, seq, createdAt, isRead: false } })
  expect(await told).toMatchObject({ data: { conversationId: sent.conversationId, version: 1 } })
  for (const person of [ann, ben]) {
    expect((await history(person)).at(-1)).toMatchObject({ ...empty, seq })
    expect(await changed(person, 0)).toMatchObject([{ ...empty, seq }])
    expect((await row(person))?.lastMessage).toMatchObject({ content: '', isUnsent: true, seq })
    expect((await exported(person)).at(-1)).toMatchObject({ content: '', isUnsent: true })
  }
  expect(await row(ben)).toEqual({
    ...before,
    version: 1,
    lastMessage: expect.objectContaining({ isUnsent: true }) as unknown,
  })
  expect((await stored()).at(-1)).not.toHaveProperty('edit')
  expect(await isAnywhere(stack, text)).toBe(false)

  expect(await unsend(ann, sent)).toMatchObject({ status: 200, body: { version: 1 } })
  expect(await changed(ben, 1)).toEqual([])
})

it('who has not accepted a request takes nothing back in it', async () => {
  const [ann, fay] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await fay.client.ok(setConversationPreferences, { body: { asksFirst: true } })
  const { id } = await ann.client.ok(startConversation, { body: { userCode: fay.user.userCode } })
  const body = {
    ...{ act: 'unsend' as const, clientMessageId: randomUUID() },
    target: { by: fay.user.id, id: randomUUID() },
  }
  expect(await fay.client.call(changeMessage, { params: { id }, body })).toMatchObject({ status: 404 })
  expect(await ann.client.ok(listMessages, { params: { id } })).toEqual([])
})

it('only the sender can take a message back, within 24 hours', async () => {
  const { ann, ben, say, unsend, history, age } = await twoPeople(stack)
  const sent = await say(ann, 'stays')
  expect(await unsend(ben, sent)).toMatchObject({ status: 404, body: { code: 'message_not_found' } })
  const eve = await unlockedPerson(stack)
  expect(await unsend(eve, sent)).toMatchObject({ status: 404, body: { code: 'conversation_not_found' } })
  await age(sent, 24.01)
  expect(await unsend(ann, sent)).toMatchObject({ status: 409, body: { code: 'act_too_late' } })
  expect(await history(ben)).toMatchObject([{ content: 'stays' }])
  await age(sent, 23.99)
  expect(await unsend(ann, sent)).toMatchObject({ status: 201 })
  await age(sent, 100)
  expect(await unsend(ann, sent)).toMatchObject({ status: 200 })
})

it('a message that was taken back before it was stored arrives empty, and spends no free message', async () => {
  const { ann, ben, id, say, unsend, history, row, stored } = await twoPeople(stack, { isFree: true })
  const lost = randomUUID()
  expect(await unsend(ann, never(ann, lost))).toMatchObject({ status: 201, body: { isUnsent: true, seq: 1 } })
  expect(await row(ben)).toMatchObject({ lastSeq: 0, unreadCount: 0, lastMessage: null })
  const mediaUrl = new URL(await upload(ann.client, someBytes(10))).pathname
  const body = { conversationId: id, clientMessageId: lost }
  const late = [
    { ...body, content: 'too late' },
    { ...body, messageType: 'image' as const, mediaUrl },
  ]
  for (const one of late)
    expect(await ann.client.call(sendMessage, { body: one })).toMatchObject({
      status: 200,
      body: { content: '', isUnsent: true, seq: 1 },
    })
  expect((await get(ann.client, mediaUrl)).status).toBe(404)
  await eventually(async () => expect((await ann.client.ok(getStorage)).usedBytes).toBe(0))
  expect(await row(ann)).toMatchObject({ canSend: true, messagesRemaining: 1, lastSeq: 0 })
  expect(await say(ann, 'the free one')).toMatchObject({ seq: 2 })
  expect(await row(ann)).toMatchObject({ messagesRemaining: 0 })
  expect(await row(ben)).toMatchObject({ unreadCount: 1, lastSeq: 2 })
  expect(await history(ben)).toMatchObject([{ isUnsent: true }, { content: 'the free one' }])
  expect((await stored()).map(({ counts }) => counts[0] + counts[1])).toEqual([0, 1])
})

it('what was unread stays unread when it is taken back, and what was never stored says that it never was', async () => {
  const { ann, ben, id, say, unsend, history, changed, row } = await twoPeople(stack)
  await unsend(ann, await say(ann, 'unread'))
  await unsend(ann, never(ann))
  const last = await say(ann, 'last')
  expect(await row(ben)).toMatchObject({ unreadCount: 2, lastSeq: 3 })
  const unstored = [undefined, true, undefined]
  expect((await history(ben)).map(({ isUnstored }) => isUnstored)).toEqual(unstored)
  expect((await changed(ben, 0)).map(({ isUnstored }) => isUnstored)).toEqual([undefined, true])
  await ben.client.ok(markRead, { params: { id }, body: { seq: 2 } })
  expect(await row(ben)).toMatchObject({ unreadCount: 1, readSeq: 2 })
  await ben.client.ok(markRead, { params: { id }, body: { seq: last.seq } })
  expect(await row(ben)).toMatchObject({ unreadCount: 0 })
})

it('the slot of an original that was on its way when its message was taken back is free at once', async () => {
  const { ann, id, say, row } = await twoPeople(stack, { isFree: true })
  const name = { conversationId: id, clientMessageId: randomUUID() }
  // The process of the original was killed between taking the slot and storing the message.
  const now = ctx.clock.now()
  await ctx.slots.insert({ _id: `${ann.user.id}|${utcDay(now)}`, ...name, takenAt: now })
  expect(await row(ann)).toMatchObject({ messagesRemaining: 0 })
  await unsendMessage(ctx, {
    ...name,
    userId: ann.user.id,
    target: { by: ann.user.id, id: name.clientMessageId },
  })
  expect(await row(ann)).toMatchObject({ messagesRemaining: 1 })
  await say(ann, 'the free one')
})

it('of a message and its unsend at once over two replicas, one empty row is left, whichever comes first', async () => {
  const { ann, unsend, say, stored, history, ben } = await twoPeople(stack)
  for (let round = 0; round < 20; round += 1) {
    const name = never(ann)
    const [sent, taken] = await Promise.all([say(ann, 'in the air', name.clientMessageId), unsend(ann, name)])
    expect(taken).toMatchObject({ status: 201, body: { content: '', seq: sent.seq } })
  }
  const rows = await stored()
  expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  for (const row of rows) expect(row).toMatchObject({ content: '', isUnsent: true })
  expect(rows.map(({ version }) => version)).toEqual(rows.map(({ seq }) => seq))
  expect((await history(ben)).every(({ isUnsent }) => isUnsent)).toBe(true)
})

it('an unsend goes on where its process was killed after it had stored the empty message', async () => {
  const { ann, id, say, unsend, changed } = await twoPeople(stack)
  const name = never(ann)
  const raise = () => Promise.reject(new Error('killed'))
  const dying = { ...ctx, memberVersions: { ...ctx.memberVersions, raise } }
  const target = { by: ann.user.id, id: name.clientMessageId }
  await expect(unsendMessage(dying, { userId: ann.user.id, conversationId: id, target })).rejects.toThrow(
    'killed',
  )
  expect(await changed(ann, 0)).toEqual([])
  expect(await say(ann, 'too late', name.clientMessageId)).toMatchObject({ content: '', isUnsent: true })
  expect(await unsend(ann, name)).toMatchObject({ status: 201, body: { version: 1, seq: 1 } })
  expect(await unsend(ann, name)).toMatchObject({ status: 200, body: { version: 1 } })
  expect(await changed(ann, 0)).toMatchObject([{ version: 1, isUnsent: true }])
})

it('works behind a block, and shows the blocker nothing of a message that was never shown', async () => {
  const { ann, ben, id, say, unsend, history, row, changed } = await twoPeople(stack)
  const shown = await say(ann, 'before the block')
  await ben.client.ok(setConversationState, { params: { id }, body: { isBlocked: true } })
  const hidden = await eventually(async () => {
    const sent = await say(ann, 'behind the block')
    expect((await history(ben)).at(-1)).toMatchObject({ content: '', isRead: true })
    return sent
  })
  const before = { history: await history(ben), row: await row(ben) }
  expect(await unsend(ann, hidden)).toMatchObject({ status: 201, body: { isUnsent: true, version: 1 } })
  expect({ history: await history(ben), row: await row(ben) }).toEqual(before)
  expect(await changed(ben, 0)).toEqual([])
  expect(await changed(ann, 0)).toMatchObject([{ seq: hidden.seq, version: 1 }])

  expect(await unsend(ann, shown)).toMatchObject({ status: 201, body: { version: 2 } })
  expect(await changed(ben, 0)).toMatchObject([{ seq: shown.seq, version: 2, isUnsent: true }])
  expect(await row(ben)).toEqual({ ...before.row, version: 2, lastMessage: expect.anything() as unknown })
})

it('deletion by both and a purge leave nothing of edited and unsent messages', async () => {
  const { ann, ben, id, say, unsend, edit, stored } = await twoPeople(stack)
  const marker = randomUUID()
  const sent = await say(ann, `first ${marker}`)
  await edit(ann, sent, `edited ${marker}`)
  await unsend(ann, await say(ann, `taken ${marker}`))
  const kept = await say(ann, `seen ${marker}`)
  await ben.client.ok(setConversationState, { params: { id }, body: { isBlocked: true } })
  await edit(ann, kept, `own ${marker}`)
  expect(await isAnywhere(stack, `first ${marker}`)).toBe(false)
  expect(await isAnywhere(stack, `taken ${marker}`)).toBe(false)
  expect(await isAnywhere(stack, marker)).toBe(true)
  for (const { client } of [ann, ben]) await client.ok(deleteConversation, { params: { id } })
  await eventually(async () => expect(await isAnywhere(stack, marker)).toBe(false))

  const last = await say(ann, `last ${marker}`)
  await edit(ann, last, `last edit ${marker}`)
  await eraseWhole(ctx, ann.user.id)
  expect(await isAnywhere(stack, marker)).toBe(false)
  for (const row of await stored()) {
    expect(row).toMatchObject({ content: '', mediaUrl: null })
    expect(row).not.toHaveProperty('edit')
    expect(row).not.toHaveProperty('own')
  }
  expect(
    await ctx.connection.collection('actCounts').countDocuments({ _id: { $regex: ann.user.id } as never }),
  ).toBe(0)
  expect(await ben.client.ok(listMessages, { params: { id } })).toMatchObject([{ content: '' }])
})
