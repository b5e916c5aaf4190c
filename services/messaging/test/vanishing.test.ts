import { randomUUID } from 'node:crypto'
import {
  listReports,
  reportConversation,
  setConversationState,
} from '@sumlock/contracts/conversation-state-routes'
import { deleteConversation, sendMessage } from '@sumlock/contracts/messaging-routes'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { adminPerson } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { eraseVanished } from '../src/use-cases/erase-vanished.ts'
import { twoPeople } from './acts.ts'

const shortMs = 30_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const empty = { content: '', messageType: 'text', mediaUrl: null, isVanished: true }

let stack: RunningStack
let ctx: Context
let pair: Awaited<ReturnType<typeof friends>>
beforeAll(async () => {
  stack = await sharedStack()
  ctx = await createContext(readConfig(stack.service('messaging').environment))
  pair = await friends()
})
afterAll(() => ctx?.close())

async function friends() {
  const pair = await twoPeople(stack)
  const { say, stored, history, row, exported } = pair
  const rowOf = async ({ clientMessageId }: Message) =>
    (await stored()).find((one) => one.clientMessageId === clientMessageId)
  return {
    ...pair,
    vanishing: (content = 'secret', vanishMs: 30_000 | 3_600_000 = shortMs) =>
      say(pair.ann, content, randomUUID(), vanishMs),
    rowOf,
    /** Returns the row after an erasure. */
    erased: async (message: Message) => {
      await eraseVanished(ctx, ctx.clock.now())
      const found = await rowOf(message)
      expect(found).toMatchObject(empty)
      return found
    },
    /** The last message as a person is shown it in the history, the list and the export. */
    shown: async (person: typeof pair.ann) => {
      const [messages, listed, all] = [await history(person), await row(person), await exported(person)]
      return { message: messages.at(-1), preview: listed?.lastMessage, copy: all.at(-1) }
    },
  }
}

it('vanishes for its sender after its time, and stays for its recipient until it was read', async () => {
  const { ann, ben, vanishing, pass, read, shown, erased } = pair
  const sent = await vanishing()
  expect(sent).toMatchObject({ content: 'secret', vanishMs: shortMs })
  for (const person of [ann, ben])
    for (const one of Object.values(await shown(person))) {
      expect(one).toMatchObject({ content: 'secret', vanishMs: shortMs })
      expect(one).not.toHaveProperty('vanishAt')
    }

  await pass(sent, shortMs)
  for (const one of Object.values(await shown(ann))) {
    expect(one).toMatchObject({ content: '', isVanished: true })
    expect(one).not.toHaveProperty('vanishMs')
  }
  expect((await shown(ben)).message).toMatchObject({ content: 'secret' })

  const beforeMs = Date.now()
  await read(ben, sent)
  const { message, preview } = await shown(ben)
  expect(preview?.vanishAt).toBe(message?.vanishAt)
  expect(Date.parse(message?.vanishAt ?? '')).toBeGreaterThanOrEqual(beforeMs + shortMs)
  expect(Date.parse(message?.vanishAt ?? '')).toBeLessThanOrEqual(Date.now() + shortMs)
  await read(ben, sent)
  expect((await shown(ben)).message?.vanishAt).toBe(message?.vanishAt)

  await pass(sent, shortMs)
  for (const person of [ann, ben])
    for (const one of Object.values(await shown(person)))
      expect(one).toMatchObject({ content: '', isVanished: true })
  const row = await erased(sent)
  for (const field of ['vanishMs', 'vanishAt', 'isUnseen', 'sealed']) expect(row).not.toHaveProperty(field)
  for (const person of [ann, ben])
    for (const one of Object.values(await shown(person)))
      expect(one).toMatchObject({ content: '', isVanished: true })
})

it('starts for the messages up to the one that was read, and not for those of the reader', async () => {
  const { ben, say, vanishing, read, rowOf } = pair
  const [first, second] = [await vanishing(), await vanishing()]
  const own = await say(ben, 'own', randomUUID(), shortMs)
  await read(ben, first)
  expect(await rowOf(first)).not.toHaveProperty('isUnseen')
  expect(await rowOf(second)).toMatchObject({ isUnseen: true })
  await read(ben, own)
  expect(await rowOf(second)).not.toHaveProperty('isUnseen')
  expect(await rowOf(own)).toMatchObject({ isUnseen: true })
})

it('is only taken back when it was taken back, before or after its end', async () => {
  const { ann, ben, history, vanishing, unsend, read, pass, erased, rowOf } = pair
  const taken = await vanishing()
  expect(await unsend(ann, taken)).toMatchObject({ status: 201, body: { isUnsent: true } })
  for (const field of ['vanishMs', 'vanishAt', 'isUnseen'])
    expect(await rowOf(taken)).not.toHaveProperty(field)
  const gone = await vanishing()
  await read(ben, gone)
  await pass(gone, shortMs)
  await erased(gone)
  const [first, second] = (await history(ben)).slice(-2)
  expect(first).toMatchObject({ isUnsent: true })
  expect(first).not.toHaveProperty('isVanished')
  expect(second).toMatchObject(empty)
  const { status, body } = await unsend(ann, gone)
  expect(status).toBe(201)
  for (const one of [body, (await history(ben)).at(-1)]) {
    expect(one).toMatchObject({ content: '', isUnsent: true })
    expect(one).not.toHaveProperty('isVanished')
  }
})

it('can be taken back when it has vanished for its sender only', async () => {
  const { ann, ben, history, vanishing, unsend, pass } = pair
  const sent = await vanishing()
  await pass(sent, shortMs)
  expect(await unsend(ann, sent)).toMatchObject({ status: 201, body: { isUnsent: true } })
  expect((await history(ben)).at(-1)).toMatchObject({ content: '', isUnsent: true })
})

it('keeps its time when it is edited, and is changed no more by the one for whom it has vanished', async () => {
  const { ann, ben, vanishing, edit, react, read, pass, rowOf, changed, erased } = pair
  const sent = await vanishing()
  await read(ben, sent)
  const before = await rowOf(sent)
  const edited = await edit(ann, sent, 'edited')
  expect(edited).toMatchObject({ status: 201, body: { content: 'edited', vanishMs: shortMs } })
  expect(await rowOf(sent)).toMatchObject({ createdAt: before?.createdAt, vanishAt: before?.vanishAt })

  await pass(sent, shortMs)
  const { version = 0 } = edited.body
  const isRefused = { status: 409, body: { code: 'message_unsent', message: { ...empty, version } } }
  for (const refused of [
    await edit(ann, edited.body, 'again'),
    await react(ann, sent, '👍'),
    await react(ben, sent, '👍'),
  ])
    expect(refused).toMatchObject(isRefused)
  await erased(sent)
  expect(await edit(ann, edited.body, 'again')).toMatchObject(isRefused)
  expect(await changed(ben, version - 1)).toMatchObject([{ ...empty, version }])
})

it('can be reacted to by its recipient while it has vanished for its sender', async () => {
  const { ann, ben, history, vanishing, react, pass } = pair
  const sent = await vanishing()
  await pass(sent, shortMs)
  const { status, body } = await react(ben, sent, '👍')
  expect(status).toBe(201)
  expect(body).toMatchObject({ content: 'secret' })
  expect((await history(ann)).at(-1)).toMatchObject({ ...empty, version: body.version })
  expect((await history(ann)).at(-1)).not.toHaveProperty('reactions')
})

it('is answered as stored when its original arrives again, and refused with another time', async () => {
  const { ann, say, vanishing, pass, erased } = pair
  const sent = await vanishing()
  const again = (vanishMs: 30_000 | 3_600_000) =>
    ann.client.call(sendMessage, {
      body: {
        conversationId: sent.conversationId,
        content: 'secret',
        clientMessageId: sent.clientMessageId,
        vanishMs,
      },
    })
  expect(await again(shortMs)).toMatchObject({ status: 200, body: { content: 'secret' } })
  expect(await again(hourMs)).toMatchObject({ status: 409, body: { code: 'client_message_id_reused' } })
  await pass(sent, shortMs)
  expect(await again(shortMs)).toMatchObject({ status: 200, body: empty })
  await pass(sent, 30 * dayMs)
  await erased(sent)
  expect(await say(ann, 'secret', sent.clientMessageId, shortMs)).toMatchObject(empty)
})

it('is named in a report, without the text that is attached to it', async () => {
  const { ann, ben, id, say, vanishing, read, pass } = pair
  const admin = await adminPerson(stack)
  const [sent, kept] = [await vanishing(), await say(ann, 'stays')]
  await read(ben, kept)
  await pass(sent, shortMs + 60_000)
  const contents = [sent, kept].map((message) => ({ id: message.id, text: `says ${message.content}` }))
  const messageIds = [sent.id, kept.id]
  await ben.client.ok(reportConversation, { params: { id }, body: { messageIds, contents } })
  const found = (await admin.client.ok(listReports)).find(({ conversationId }) => conversationId === id)
  expect(new Set(found?.messages)).toEqual(new Set([{ id: sent.id }, { id: kept.id, text: 'says stays' }]))
})

it('starts when the recipient deletes the conversation', async () => {
  const { ben, id, vanishing, pass, rowOf, erased } = pair
  const sent = await vanishing()
  await ben.client.ok(deleteConversation, { params: { id } })
  expect(await rowOf(sent)).not.toHaveProperty('isUnseen')
  await pass(sent, shortMs)
  await erased(sent)
})

it('counts as read when a block hides it, and shows the blocker nothing of its end', async () => {
  const { ann, ben, id, history, vanishing, pass, erased, rowOf } = pair
  await ben.client.ok(setConversationState, { params: { id }, body: { isBlocked: true } })
  const sent = await eventually(async () => {
    const one = await vanishing()
    expect(await rowOf(one)).toMatchObject({ isHidden: true })
    return one
  })
  expect(await rowOf(sent)).not.toHaveProperty('isUnseen')
  const atBen = async () => (await history(ben)).at(-1)
  const tombstone = await atBen()
  for (const field of ['vanishMs', 'vanishAt', 'isVanished']) expect(tombstone).not.toHaveProperty(field)
  await pass(sent, shortMs)
  await erased(sent)
  expect((await history(ann)).at(-1)).toMatchObject(empty)
  expect({ ...(await atBen()), createdAt: '' }).toEqual({ ...tombstone, createdAt: '' })
})
