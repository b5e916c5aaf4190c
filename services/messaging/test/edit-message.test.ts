import { randomUUID } from 'node:crypto'
import { setConversationState } from '@sumlock/contracts/conversation-state-routes'
import { listChanges } from '@sumlock/contracts/changes-routes'
import { deleteConversation } from '@sumlock/contracts/messaging-routes'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { sendMedia, someBytes } from '@sumlock/testing/media'
import { unlockedPerson } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { createSockets, nextEvent } from '@sumlock/testing/socket'
import { eventually } from '@sumlock/testing/wait'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import type { AccountStatus } from '../src/domain/entitlement.ts'
import { editMessage } from '../src/use-cases/edit-message.ts'
import type { EditInput } from '../src/use-cases/edit-message.ts'
import { isAnywhere, nextAfter, twoPeople } from './acts.ts'

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

it('an edit replaces the text for both everywhere, and moves, counts and rings nothing', async () => {
  const { ann, ben, say, edit, history, row, exported, changed } = await twoPeople(stack)
  const original = `original ${randomUUID()}`
  const sent = await say(ann, original)
  const before = await row(ben)
  const { now: since } = await ben.client.ok(listChanges)
  const live = await sockets.open(ben)
  const told = nextAfter(live)

  const actId = randomUUID()
  const answer = await edit(ann, sent, 'edited', actId)
  const at = expect.any(String) as string
  const shown = { content: 'edited', edit: { id: actId, at }, version: 1 }
  expect(answer).toMatchObject({ status: 201, body: { ...sent, ...shown } })
  expect(await told).toEqual({
    type: 'message_changed',
    data: { conversationId: sent.conversationId, version: 1 },
  })
  for (const person of [ann, ben]) {
    expect(await history(person)).toMatchObject([{ ...shown, seq: sent.seq, createdAt: sent.createdAt }])
    expect(await changed(person, 0)).toMatchObject([shown])
    expect(await exported(person)).toMatchObject([{ content: 'edited', edit: { id: actId } }])
  }
  const lastMessage = { ...before?.lastMessage, content: 'edited', edit: { id: actId, at } }
  expect(await row(ben)).toEqual({ ...before, version: 1, lastMessage })
  const { conversations } = await ben.client.ok(listChanges, { query: { since } })
  expect(conversations).toMatchObject([{ id: sent.conversationId, version: 1 }])
  expect(await isAnywhere(stack, original)).toBe(false)

  expect(await edit(ann, sent, 'edited', actId)).toMatchObject({ status: 200, body: shown })
  // The original, sent again because its answer was lost, is still the same message.
  expect(await say(ann, original, sent.clientMessageId)).toMatchObject(shown)
})

it('an edit is refused without the message, to others, too late, and after the unsend', async () => {
  const { ann, ben, id, say, edit, unsend, age, history, changed } = await twoPeople(stack)
  const sent = await say(ann, 'as it was')
  const eve = await unlockedPerson(stack)
  expect(await edit(eve, sent, 'x')).toMatchObject({ status: 404, body: { code: 'conversation_not_found' } })
  const never = { ...sent, clientMessageId: randomUUID() }
  for (const answer of [await edit(ben, sent, 'x'), await edit(ann, never, 'x')])
    expect(answer).toMatchObject({ status: 404, body: { code: 'message_not_found' } })
  await age(sent, 24.01)
  expect(await edit(ann, sent, 'x')).toMatchObject({ status: 409, body: { code: 'act_too_late' } })
  expect(await history(ben)).toMatchObject([{ content: 'as it was' }])
  await age(sent, 23.99)
  expect(await edit(ann, sent, 'in time')).toMatchObject({ status: 201 })
  await unsend(ann, sent)
  expect(await edit(ann, sent, 'x')).toMatchObject({
    status: 409,
    body: { code: 'message_unsent', message: { content: '', isUnsent: true } },
  })

  const deleted = await say(ann, 'deleted')
  await ann.client.ok(deleteConversation, { params: { id } })
  expect(await edit(ann, deleted, 'x')).toMatchObject({ status: 404, body: { code: 'message_not_found' } })
  expect(await changed(ann, 0)).toEqual([])
  expect(await changed(ben, 0)).toMatchObject([{ isUnsent: true }])
})

it('of two edits of the same content, one is applied, and the other is refused with what stands there', async () => {
  const { ann, say, edit, history } = await twoPeople(stack)
  const sent = await say(ann, 'one')
  const answers = await Promise.all([edit(ann, sent, 'two'), edit(ann, sent, 'three')])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  const [present] = await history(ann)
  const refused = answers.find(({ status }) => status === 409)
  expect(refused?.body).toMatchObject({ code: 'act_replaced', message: present })
  expect(await edit(ann, present as Message, 'four')).toMatchObject({
    status: 201,
    body: { content: 'four' },
  })
})

it('a message can be edited five times, and once if it was the free one', async () => {
  const { ann, ben, say, edit, row } = await twoPeople(stack)
  let message: Message = await say(ann, 'no. 0')
  for (const count of [1, 2, 3, 4, 5]) {
    const { status, body } = await edit(ann, message, `no. ${count}`)
    expect(status).toBe(201)
    message = body
  }
  const refused = { status: 409, body: { code: 'too_many_edits' } }
  expect(await edit(ann, message, 'no. 6')).toMatchObject(refused)

  const free = await twoPeople(stack, { isFree: true })
  const spent = await free.say(free.ann, 'the free one')
  const { body: edited } = await free.edit(free.ann, spent, 'edited once')
  expect(edited).toMatchObject({ content: 'edited once' })
  expect(await free.edit(free.ann, edited, 'edited twice')).toMatchObject(refused)
  expect(await free.row(free.ann)).toMatchObject({ messagesRemaining: 0 })
  // Ben is covered by Ann's premium and has spent no slot.
  expect(await edit(ben, (await edit(ben, await say(ben, 'a'), 'b')).body, 'c')).toMatchObject({
    status: 201,
  })
  expect(await row(ben)).toMatchObject({ messagesRemaining: 1 })
})

it('a caption can be changed and removed, a text not; type and media stay', async () => {
  const { ann, id, say, edit, act } = await twoPeople(stack)
  const picture = await sendMedia(ann.client, id, someBytes(10))
  const { mediaUrl } = picture
  const { body: captioned } = await edit(ann, picture, 'a caption')
  expect(captioned).toMatchObject({ content: 'a caption', messageType: 'image', mediaUrl })
  const without = (message: Message) =>
    act(ann, {
      ...{ act: 'edit', target: { by: ann.user.id, id: message.clientMessageId } },
      ...{ clientMessageId: randomUUID(), replaces: message.edit?.id ?? null },
    })
  expect(await without(captioned)).toMatchObject({ status: 201, body: { content: '', mediaUrl } })
  expect(await without(await say(ann, 'a text'))).toMatchObject({
    status: 400,
    body: { code: 'invalid_request' },
  })
})

it('what a blocked person edits is shown to that person only, also after the block', async () => {
  const { ann, ben, id, say, edit, history, row, changed } = await twoPeople(stack)
  const sent = await say(ann, 'before the block')
  await ben.client.ok(setConversationState, { params: { id }, body: { isBlocked: true } })
  const before = { history: await history(ben), row: await row(ben) }
  const changedAt = async () => (await ctx.memberList.of(ben.user.id, id))?.changedAt
  const blockedAt = await changedAt()
  const live = await Promise.all([ann, ben].map(sockets.open))
  const toBen: number[] = []
  live[1]?.subscribe({
    onEvent: (event) => void (event.type === 'message_changed' && toBen.push(event.data.version)),
  })
  const told = nextEvent(live[0] as (typeof live)[0], ({ type }) => type === 'message_changed')

  const { status, body: own } = await edit(ann, sent, 'behind the block')
  expect(status).toBe(201)
  expect(own).toMatchObject({ content: 'behind the block', version: 1 })
  expect(await told).toMatchObject({ data: { version: 1 } })
  expect(await history(ann)).toEqual([own])
  expect(await changed(ann, 0)).toEqual([own])
  expect(await row(ann)).toMatchObject({
    version: 1,
    lastMessage: { content: 'behind the block', edit: own.edit },
  })
  expect(await say(ann, 'before the block', sent.clientMessageId)).toEqual(own)
  const unchanged = async () => {
    expect({ history: await history(ben), row: await row(ben) }).toEqual(before)
    expect(await changed(ben, 0)).toEqual([])
  }
  await unchanged()
  expect(await changedAt()).toEqual(blockedAt)

  await ben.client.ok(setConversationState, { params: { id }, body: { isBlocked: false } })
  expect((await history(ben))[0]).toMatchObject({ content: 'before the block' })
  const { body: again } = await edit(ann, own, 'after the block')
  expect(again).toMatchObject({ content: 'after the block', version: 2 })
  for (const person of [ann, ben]) expect(await changed(person, 0)).toEqual([again])
  expect(await row(ben)).toMatchObject({ version: 2, lastMessage: { content: 'after the block' } })
  await eventually(() => Promise.resolve(expect(toBen).toContain(again.version)))
  // Kafka may deliver an event twice.
  expect(new Set(toBen)).toEqual(new Set([again.version]))
})

describe('an edit in a process that knows of people', () => {
  const sealed = (from: number, to: number) => ({ v: 1 as const, from, to })
  const content = 'x'.repeat(150)

  /** Edits a plain message in a process with this status of both people. */
  async function editor(status: Partial<AccountStatus>) {
    const { ann, id, say, stored } = await twoPeople(stack)
    const { clientMessageId } = await say(ann, 'plain')
    const known = { premiumUntil: null, ...status }
    const statusesOf = () => Promise.resolve([known, known])
    const knowing = { ...ctx, entitlements: { ...ctx.entitlements, statusesOf } }
    const edit = (fields: Pick<EditInput, 'replaces' | 'clientMessageId' | 'sealed'>) =>
      editMessage(knowing, {
        ...{ userId: ann.user.id, conversationId: id, target: { by: ann.user.id, id: clientMessageId } },
        ...{ content: fields.sealed ? content : 'plain again', ...fields },
      })
    return { edit, stored, first: { replaces: null, clientMessageId: randomUUID(), sealed: undefined } }
  }

  it('can be sealed under their newest keys, and then no plain one is accepted', async () => {
    const { edit, stored, first } = await editor({ keyEpoch: 2 })
    await edit({ ...first, sealed: sealed(2, 2) })
    const second = { replaces: first.clientMessageId, clientMessageId: randomUUID(), sealed: undefined }
    await expect(edit(second)).rejects.toMatchObject({ code: 'keys_changed' })
    const [row] = await stored()
    expect(row).toMatchObject({ content, sealed: { from: 2, to: 2 }, edit: { count: 1 } })
  })

  it.each([sealed(1, 2), sealed(2, 1)])('is refused under a former key: %j', async (epochs) => {
    const { edit, first } = await editor({ keyEpoch: 2 })
    await expect(edit({ ...first, sealed: epochs })).rejects.toMatchObject({ code: 'keys_changed' })
  })

  it('is refused while one of them is deleting the account', async () => {
    const { edit, first } = await editor({ isGone: true })
    await expect(edit(first)).rejects.toMatchObject({ code: 'person_gone' })
  })
})
