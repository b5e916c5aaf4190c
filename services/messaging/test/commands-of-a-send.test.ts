import { randomUUID } from 'node:crypto'
import { begin } from '@sumlock/testing/many-messages'
import { openNamespace } from '@sumlock/testing/namespace'
import type { Namespace } from '@sumlock/testing/namespace'
import { eventually } from '@sumlock/testing/wait'
import { monitored, recordCommands } from '@sumlock/testing/watch-commands'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { sendMessage } from '../src/use-cases/send-message.ts'

let namespace: Namespace
let ctx: Context
beforeAll(async () => {
  namespace = await openNamespace()
  const environment = namespace.environmentOf('messaging')
  ctx = await createContext(
    readConfig({ ...environment, MONGO_URL: monitored(String(environment['MONGO_URL'])) }),
  )
})
afterAll(async () => {
  await ctx?.close()
  await namespace?.close()
})

const senderId = randomUUID()

/** Calls the use case as the route does. */
async function say(conversationId: string): Promise<void> {
  const text = { content: 'hello', messageType: 'text' as const, mediaUrl: undefined }
  const sent = await sendMessage(ctx, { senderId, conversationId, ...text, clientMessageId: undefined })
  await ctx.messagePublisher.publish(sent.record)
}

it('a text costs one insert and one command that moves both rows; those of one insert share it', async () => {
  const version = 1
  const subscriptionExpiresAt = new Date(Date.now() + 3_600_000).toISOString()
  await ctx.entitlementStore.save({
    ...{ userId: senderId, version },
    ...{ subscriptionType: 'premium', subscriptionExpiresAt },
  })
  const conversations = Array.from({ length: 21 }, () => ({
    id: randomUUID(),
    memberIds: [senderId, randomUUID()] as const,
  }))
  await begin(ctx.connection, conversations)
  const [first, ...others] = conversations.map(({ id }) => id) as [string, ...string[]]
  for (const id of [first, ...others]) await say(id)
  await eventually(async () => expect((await ctx.messages.unpublished(1)).size).toBe(0))

  const record = recordCommands([ctx.connection])
  const writesOf = async (work: () => Promise<unknown>) =>
    (await record('sends', work))
      .filter(({ name }) => ['insert', 'update', 'bulkWrite', 'findAndModify'].includes(name))
      .map(({ name, collection, rows }) => `${name} ${collection} ${rows}`)
  expect(await writesOf(() => say(first))).toEqual(['insert messages 1', 'update members 2'])

  await eventually(async () => expect((await ctx.messages.unpublished(1)).size).toBe(0))
  const writes = await writesOf(() => Promise.all(others.map(say)))
  const rowsOf = (kind: string) =>
    writes
      .filter((write) => write.startsWith(kind))
      .map((write) => Number(write.split(' ')[2]))
      .sort((left, right) => left - right)
  const inserted = rowsOf('insert messages')
  expect(inserted.length).toBeLessThan(others.length)
  expect(rowsOf('update members')).toEqual(inserted.map((count) => 2 * count))
})
