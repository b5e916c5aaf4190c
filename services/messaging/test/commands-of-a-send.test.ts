import { randomUUID } from 'node:crypto'
import type { VanishMs } from '@sumlock/contracts/primitives'
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
async function say(conversationId: string, vanishMs?: VanishMs): Promise<void> {
  const text = { content: 'hello', messageType: 'text' as const, mediaUrl: undefined, vanishMs }
  const sent = await sendMessage(ctx, { senderId, conversationId, ...text, clientMessageId: undefined })
  await ctx.messagePublisher.publish(sent.record)
}

it('a text, with or without a time, costs one insert and one command that moves both rows, and nothing else; those of one insert share it', async () => {
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
  const commandsOf = async (work: () => Promise<unknown>) =>
    (await record('sends', work)).map(({ name, collection, rows }) => `${name} ${collection} ${rows}`)
  // The members and their premium are remembered from the send before. The sweep's commands may come between.
  for (const vanishMs of [undefined, 30_000] as const)
    await eventually(async () =>
      expect(await commandsOf(() => say(first, vanishMs))).toEqual(['insert messages 1', 'update members 2']),
    )

  await eventually(async () => expect((await ctx.messages.unpublished(1)).size).toBe(0))
  const commands = await commandsOf(() => Promise.all(others.map((id) => say(id))))
  const rowsOf = (kind: string) =>
    commands
      .filter((command) => command.startsWith(kind))
      .map((command) => Number(command.split(' ')[2]))
      .sort((left, right) => left - right)
  const inserted = rowsOf('insert messages')
  expect(inserted.length).toBeLessThan(others.length)
  expect(rowsOf('update members')).toEqual(inserted.map((count) => 2 * count))
})
