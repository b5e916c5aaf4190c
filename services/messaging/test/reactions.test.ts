import { randomUUID } from 'node:crypto'
import { changeMessage } from '@sumlock/contracts/act-routes'
import {
  setConversationPreferences,
  setConversationState,
} from '@sumlock/contracts/conversation-state-routes'
import { deleteConversation, sendMessage, startConversation } from '@sumlock/contracts/messaging-routes'
import { utcDay } from '@sumlock/service-kit/clock'
import { withDatabase } from '@sumlock/testing/database'
import { adminPerson, makePremium, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { createSockets } from '@sumlock/testing/socket'
import { eventually } from '@sumlock/testing/wait'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import type { AccountStatus } from '../src/domain/entitlement.ts'
import { eraseWhole } from '../src/test-support/erase-whole.ts'
import { editMessage } from '../src/use-cases/edit-message.ts'
import { reactToMessage } from '../src/use-cases/react-to-message.ts'
import { isAnywhere, nextAfter, twoPeople, whenAvailable } from './acts.ts'

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

it('a reaction of either person is shown to both everywhere, and moves, counts and rings nothing', async () => {
  const { ann, ben, say, react, history, row, exported, changed } = await twoPeople(stack)
  const sent = await say(ann, 'a text')
  const before = await row(ann)
  const live = await sockets.open(ann)
  const told = nextAfter(live)

  const [first, second] = [randomUUID(), randomUUID()]
  const { status, body } = await react(ben, sent, '👍🏽', first)
  expect({ status, body }).toMatchObject({ status: 201, body: { content: 'a text', version: 1 } })
  expect(await told).toMatchObject({ type: 'message_changed', data: { version: 1 } })
  await react(ann, sent, '❤️', second)
  const reactions = [
    { by: ann.user.id, id: second, content: '❤️' },
    { by: ben.user.id, id: first, content: '👍🏽' },
  ]
  for (const person of [ann, ben]) {
    expect(await history(person)).toMatchObject([{ content: 'a text', reactions, version: 2 }])
    expect(await changed(person, 0)).toMatchObject([{ reactions }])
    expect(await exported(person)).toMatchObject([{ reactions }])
  }
  expect(await row(ann)).toEqual({ ...before, version: 2 })
})

it('a second reaction replaces the first, the same act again is known, and one can be taken back', async () => {
  const { ann, ben, say, react, history } = await twoPeople(stack)
  const sent = await say(ann, 'a text')
  const { body: one } = await react(ben, sent, '👍')
  const actId = randomUUID()
  expect(await react(ben, sent, '😮', actId)).toMatchObject({
    status: 409,
    body: { code: 'act_replaced', message: { reactions: one.reactions } },
  })
  const { body: two } = await react(ben, one, '😮', actId)
  expect(two.reactions).toEqual([{ by: ben.user.id, id: actId, content: '😮' }])
  expect(await react(ben, one, '😮', actId)).toMatchObject({ status: 200, body: { version: 2 } })
  const { body: none } = await react(ben, two)
  expect(none.reactions).toMatchObject([{ by: ben.user.id, content: '' }])
  expect(await isAnywhere(stack, actId)).toBe(false)
  expect((await react(ben, none, '👍')).status).toBe(201)
  expect((await history(ann))[0]?.reactions).toMatchObject([{ content: '👍' }])
})

it('of 20 reactions of one person at once, one is applied', async () => {
  const { ann, ben, id, say, stored } = await twoPeople(stack)
  const { clientMessageId } = await say(ann, 'a text')
  const parallel = {
    ...ctx,
    acting: { ...ctx.acting, run: <T>(_: string, work: () => Promise<T>) => work() },
  }
  const ended = await Promise.allSettled(
    Array.from({ length: 20 }, () => {
      const act = {
        ...{ userId: ben.user.id, conversationId: id, target: { by: ann.user.id, id: clientMessageId } },
        ...{ clientMessageId: randomUUID(), replaces: null, content: '👍', sealed: undefined },
      }
      return whenAvailable(() => reactToMessage(parallel, act))
    }),
  )
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of ended)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'act_replaced' })
  expect(await stored()).toMatchObject([{ version: 1, reactions: { recipient: { content: '👍' } } }])
})

it('a reaction is refused without the message, to strangers, after the unsend, and if it is no emoji', async () => {
  const { ann, ben, id, say, react, unsend } = await twoPeople(stack)
  const sent = await say(ann, 'a text')
  const eve = await unlockedPerson(stack)
  expect(await react(eve, sent, '👍')).toMatchObject({
    status: 404,
    body: { code: 'conversation_not_found' },
  })
  for (const target of [
    { ...sent, senderId: ben.user.id },
    { ...sent, clientMessageId: randomUUID() },
  ])
    expect(await react(ben, target, '👍')).toMatchObject({ status: 404, body: { code: 'message_not_found' } })
  for (const content of ['👍👍', 'no', 'x'.repeat(37), undefined])
    expect(await react(ben, sent, content)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  await unsend(ann, sent)
  expect(await react(ben, sent, '👍')).toMatchObject({ status: 409, body: { code: 'message_unsent' } })

  const deleted = await say(ann, 'deleted')
  await ben.client.ok(deleteConversation, { params: { id } })
  expect(await react(ben, deleted, '👍')).toMatchObject({ status: 404 })
})

it('who has not accepted a request reacts to nothing in it, and edits nothing', async () => {
  const [ann, fay] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await fay.client.ok(setConversationPreferences, { body: { asksFirst: true } })
  const { id } = await ann.client.ok(startConversation, { body: { userCode: fay.user.userCode } })
  const say = ({ client }: Person) =>
    client.ok(sendMessage, { body: { conversationId: id, content: 'hello' } })
  const act = async (name: 'reaction' | 'edit', content: string, by: Person) => {
    const target = { by: by.user.id, id: (await say(by)).clientMessageId }
    const body = { act: name, clientMessageId: randomUUID(), replaces: null, content, target }
    return fay.client.call(changeMessage, { params: { id }, body })
  }
  expect(await act('reaction', '👍', ann)).toMatchObject({ status: 404 })
  expect(await act('edit', 'changed', fay)).toMatchObject({ status: 404 })
})

it('a reaction counts with the edits of the day', async () => {
  const { ann, ben, say, react } = await twoPeople(stack)
  const sent = await say(ann, 'a text')
  const row = { _id: `${ben.user.id}|${utcDay(new Date())}`, edit: 299, takenAt: new Date() }
  await withDatabase(stack, 'messaging', (database) =>
    database.collection<{ _id: string }>('actCounts').insertOne(row),
  )
  const { status, body } = await react(ben, sent, '👍')
  expect(status).toBe(201)
  expect(await react(ben, body)).toMatchObject({ status: 429 })
})

it('what a blocked person changes is shown to that person only, in the order of the changes', async () => {
  const { ann, ben, id, say, react, edit, history, row, changed } = await twoPeople(stack)
  await makePremium(await adminPerson(stack), ben)
  const [own, others] = [await say(ann, 'own'), await say(ben, 'others')]
  const { body: reacted } = await react(ann, others, '👍')
  await ben.client.ok(setConversationState, { params: { id }, body: { isBlocked: true } })
  const before = { history: await history(ben), row: await row(ben) }
  const { body: again } = await react(ann, reacted, '😮')
  const { body: edited } = await edit(ann, own, 'edited')
  const { body: ownReaction } = await react(ann, edited, '❤️')
  expect(await changed(ann, 1)).toEqual([again, ownReaction])
  expect([again.version, edited.version, ownReaction.version]).toEqual([2, 3, 4])
  expect(ownReaction).toMatchObject({ content: 'edited', reactions: [{ content: '❤️' }] })
  expect(await history(ann)).toEqual([ownReaction, again])
  expect({ history: await history(ben), row: await row(ben) }).toEqual(before)
  expect(await changed(ben, 1)).toEqual([])

  // What the blocker does is shown to both, beside what the other one alone is shown.
  const { body: blockers } = await react(ben, before.history[0] as typeof own, '👀')
  expect(blockers).toMatchObject({ content: 'own', version: 5, reactions: [{ by: ben.user.id }] })
  expect(await changed(ann, 1)).toMatchObject([
    { version: 2 },
    { version: 5, content: 'edited', reactions: [{ content: '❤️' }, { content: '👀' }] },
  ])
  expect(await changed(ann, 1, 1)).toMatchObject([{ version: 2 }])
  expect(await changed(ann, 2, 1)).toMatchObject([{ version: 5 }])

  await ben.client.ok(setConversationState, { params: { id }, body: { isBlocked: false } })
  await react(ann, again, '🎉')
  for (const person of [ann, ben])
    expect((await history(person))[1]).toMatchObject({ version: 6, reactions: [{ content: '🎉' }] })
})

it('reactions go with their message and with their person', async () => {
  const { ann, ben, id, say, react, unsend, stored } = await twoPeople(stack)
  await makePremium(await adminPerson(stack), ben)
  const taken = await say(ann, 'taken')
  await react(ben, taken, '👍')
  await unsend(ann, taken)
  expect((await stored())[0]).not.toHaveProperty('reactions')
  await react(ann, await say(ann, 'deleted'), '👍')
  for (const { client } of [ann, ben]) await client.ok(deleteConversation, { params: { id } })
  await eventually(async () => expect((await stored())[1]).not.toHaveProperty('reactions'))

  const sent = await eventually(() => say(ben, 'stays'))
  await react(ann, (await react(ben, sent, '❤️')).body, '👍')
  await eraseWhole(ctx, ann.user.id)
  const [left] = (await stored()).slice(-1)
  expect(left).toMatchObject({ content: 'stays', reactions: { sender: { content: '❤️' } } })
  expect(left?.reactions).not.toHaveProperty('recipient')
})

it('a sealed reaction needs the newest keys, and a plain one is accepted on plain messages only', async () => {
  const { ann, id, say, stored } = await twoPeople(stack)
  const { clientMessageId } = await say(ann, 'plain')
  const known: AccountStatus = { premiumUntil: null, keyEpoch: 2 }
  const statusesOf = () => Promise.resolve([known, known])
  const knowing = { ...ctx, entitlements: { ...ctx.entitlements, statusesOf } }
  const base = { userId: ann.user.id, conversationId: id, target: { by: ann.user.id, id: clientMessageId } }
  const react = (content: string | undefined, replaces: string | null, to?: number, actId = randomUUID()) =>
    reactToMessage(knowing, {
      ...{ ...base, clientMessageId: actId, replaces, content },
      sealed: to === undefined ? undefined : { v: 1 as const, from: 2, to },
    })
  const sealedContent = 'x'.repeat(123)
  await expect(react(sealedContent, null, 1)).rejects.toMatchObject({ code: 'keys_changed' })
  const first = randomUUID()
  await react(sealedContent, null, 2, first)
  expect(await stored()).toMatchObject([
    { reactions: { sender: { content: sealedContent, sealed: { to: 2 } } } },
  ])
  const edit = { clientMessageId: randomUUID(), replaces: null, content: 'x'.repeat(150) }
  await editMessage(knowing, { ...base, ...edit, sealed: { v: 1, from: 2, to: 2 } })
  await expect(react('👍', first)).rejects.toMatchObject({ code: 'keys_changed' })
  expect((await react(undefined, first)).message.reactions).toMatchObject([{ content: '' }])
})
