import { randomUUID } from 'node:crypto'
import {
  setConversationPreferences,
  setConversationState,
} from '@sumlock/contracts/conversation-state-routes'
import { getStorage } from '@sumlock/contracts/media-routes'
import { deleteConversation, sendMessage } from '@sumlock/contracts/messaging-routes'
import type { Message } from '@sumlock/contracts/messaging-routes'
import type { VanishMs } from '@sumlock/contracts/primitives'
import { get, sendMedia, someBytes, storedObjects } from '@sumlock/testing/media'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { eraseVanished } from '../src/use-cases/erase-vanished.ts'
import { sweepMedia } from '../src/use-cases/sweep-media.ts'
import { twoPeople } from './acts.ts'

const vanishMs: VanishMs = 300_000
const dayMs = 86_400_000

let stack: RunningStack
let ctx: Context
let pair: Awaited<ReturnType<typeof withoutReceipts>>
beforeAll(async () => {
  stack = await sharedStack()
  ctx = await createContext(readConfig(stack.service('messaging').environment))
  pair = await withoutReceipts()
})
afterAll(() => ctx?.close())

const used = async ({ client }: Person) => (await client.ok(getStorage)).usedBytes

/** A sender of files to a recipient who shows nobody what they have read. */
async function withoutReceipts() {
  const pair = await twoPeople(stack)
  await pair.ben.client.ok(setConversationPreferences, { body: { showsRead: false } })
  return {
    ...pair,
    file: () => sendMedia(pair.ann.client, pair.id, someBytes(1000), { vanishMs }),
    hide: async () => {
      await pair.ben.client.ok(setConversationState, { params: { id: pair.id }, body: { isBlocked: true } })
      // A block is known everywhere within a second.
      await eventually(async () => {
        const { clientMessageId } = await pair.say(pair.ann, 'hidden?')
        const sent = (await pair.stored()).find((row) => row.clientMessageId === clientMessageId)
        expect(sent).toMatchObject({ isHidden: true })
      })
    },
    erase: async () => {
      await eraseVanished(ctx, ctx.clock.now())
      await sweepMedia(ctx, ctx.clock.now())
    },
  }
}

const isStored = async ({ mediaUrl }: Message) =>
  (await storedObjects(stack)).some((name) => name.startsWith(mediaUrl?.slice(-24) ?? '-'))

it('frees the bytes of what was read in secret once both members have deleted it', async () => {
  const { ann, ben, id, file, read, pass, erase } = pair
  const sent = await file()
  await read(ben, sent)
  await pass(sent, vanishMs + 60_000)
  await eventually(async () => {
    await erase()
    expect(await isStored(sent)).toBe(false)
  })
  expect(await used(ann)).toBe(1000)
  for (const { client } of [ann, ben]) await client.ok(deleteConversation, { params: { id } })
  await eventually(async () => {
    await erase()
    expect(await used(ann)).toBe(0)
  })
})

it.each(['read in secret', 'hidden by a block'])(
  'frees nothing at the end of what was %s, although its sender was told later that it was read',
  async (how) => {
    const { ann, ben, id, file, hide, say, read, history, pass, erase } = await withoutReceipts()
    const isRead = how === 'read in secret'
    if (!isRead) await hide()
    const sent = await file()
    if (isRead) await read(ben, sent)
    else await ben.client.ok(setConversationState, { params: { id }, body: { isBlocked: false } })
    await ben.client.ok(setConversationPreferences, { body: { showsRead: true } })
    await read(ben, await say(ann, 'later'))
    expect((await history(ann)).find((message) => message.id === sent.id)).toMatchObject({ isRead: true })
    await pass(sent, vanishMs + 60_000)
    await eventually(async () => {
      await erase()
      expect(await isStored(sent)).toBe(false)
    })
    expect(await used(ann)).toBe(1000)
  },
)

it('shows its sender the same whether it was read in secret, hidden by a block, or neither', async () => {
  const { ann, ben, file, read, hide, passAll, erase, stored, unsend, history } = pair
  const [seen, unseen] = [await file(), await file()]
  await read(ben, seen)
  await hide()
  const hidden = await file()
  const sent = [seen, unseen, hidden]
  await passAll(sent, vanishMs + 60_000)
  const statuses = ({ client }: Person) =>
    Promise.all(sent.map(async ({ mediaUrl }) => (await get(client, mediaUrl)).status))
  expect(await statuses(ann)).toEqual([404, 404, 404])
  expect(await statuses(ben)).toEqual([404, 200, 404])
  await eventually(async () => {
    await erase()
    expect(await Promise.all(sent.map(isStored))).toEqual([false, true, false])
  })
  const isErased = async ({ id }: Message) =>
    (await stored()).find(({ messageId }) => messageId === id)?.isVanished === true
  expect(await Promise.all(sent.map(isErased))).toEqual([true, false, true])
  expect(await used(ann)).toBe(3000)

  const repeat = async ({ conversationId, clientMessageId, mediaUrl }: Message) => {
    const body = { conversationId, clientMessageId, mediaUrl: mediaUrl ?? '', vanishMs }
    return ann.client.call(sendMessage, { body: { ...body, messageType: 'image', content: 'another' } })
  }
  const empty = { content: '', mediaUrl: null, isVanished: true }
  for (const message of sent) {
    expect(await repeat(message)).toMatchObject({ status: 200, body: empty })
    await erase()
    expect(await used(ann)).toBe(3000)
  }
  for (const message of sent) {
    const { status, body } = await unsend(ann, message)
    expect(status).toBe(201)
    expect(body).toMatchObject({ isUnsent: true })
    expect(body).not.toHaveProperty('isVanished')
  }
  const [first, second] = await history(ben)
  for (const one of [first, second]) {
    expect(one).toMatchObject({ isUnsent: true })
    expect(one).not.toHaveProperty('isVanished')
  }
  await eventually(async () => {
    await erase()
    expect(await used(ann)).toBe(0)
  })
})

it('keeps the version of an edit that a block hid from the other member, and not its text', async () => {
  const { ann, say, hide, edit, pass, erase, history, stored } = await withoutReceipts()
  const sent = await say(ann, 'secret', randomUUID(), vanishMs)
  await hide()
  expect(await edit(ann, sent, 'secret edit')).toMatchObject({ status: 201 })
  await pass(sent, vanishMs)
  const shown = async () => (await history(ann)).find(({ id }) => id === sent.id)
  const before = await shown()
  expect(before).toMatchObject({ isVanished: true, version: 1 })
  await pass(sent, 30 * dayMs)
  await erase()
  const after = await shown()
  expect({ ...after, createdAt: '' }).toEqual({ ...before, createdAt: '' })
  expect(JSON.stringify(await stored())).not.toContain('secret')
})
