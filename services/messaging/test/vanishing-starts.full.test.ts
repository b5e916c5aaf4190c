import { randomUUID } from 'node:crypto'
import {
  setConversationPreferences,
  setConversationState,
} from '@sumlock/contracts/conversation-state-routes'
import { listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import { freePorts } from '@sumlock/dev/processes/ports'
import { systemClock } from '@sumlock/service-kit/clock'
import { rowsAtOnce } from '@sumlock/service-kit/write-in-batches'
import { withDatabase } from '@sumlock/testing/database'
import { fillConversation } from '@sumlock/testing/many-messages'
import { openNamespace } from '@sumlock/testing/namespace'
import { adminPerson, befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { start } from '../src/start.ts'
import { markRead } from '../src/use-cases/mark-read.ts'
import { twoPeople } from './acts.ts'

const shortMs = 30_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

it('a vanishing message is there for 30 days if nobody reads it, and for no longer', async () => {
  const { ann, ben, say, pass, history } = await twoPeople(stack)
  const shown = async () => (await history(ben)).at(-1)
  const sent = await say(ann, 'secret', randomUUID(), shortMs)
  await pass(sent, 30 * dayMs - hourMs)
  expect(await shown()).toMatchObject({ content: 'secret' })
  await pass(sent, hourMs)
  expect(await shown()).toMatchObject({ content: '', isVanished: true })
})

it('the time of a message starts once when two replicas read it at the same time', async () => {
  const { ann, ben, id, say, stored } = await twoPeople(stack)
  const row = async () => (await stored()).at(-1)
  const { environment } = stack.service('messaging')
  const offsets = [0, hourMs]
  const replicas = await Promise.all(
    offsets.map(async (ms) => ({
      ...(await createContext(readConfig({ ...environment, INSTANCE: `messaging-${ms}` }))),
      // The sweep keeps the right time: an hour ahead, it would publish what the stack is about to publish.
      clock: systemClock(ms),
    })),
  )
  try {
    const sent = await say(ann, 'secret', randomUUID(), shortMs)
    const readAt = (replica: Context) =>
      markRead(replica, { userId: ben.user.id, conversationId: id, seq: sent.seq })
    await Promise.all(replicas.map(readAt))
    const first = await row()
    expect(first).not.toHaveProperty('isUnseen')
    const sinceMs = Number(first?.vanishAt) - Number(first?.createdAt) - shortMs
    expect(Math.round(sinceMs / hourMs) * hourMs).toBe(offsets.find((ms) => Math.abs(sinceMs - ms) < 60_000))
    for (const replica of replicas) await readAt(replica)
    expect((await row())?.vanishAt).toEqual(first?.vanishAt)
  } finally {
    await Promise.all(replicas.map((replica) => replica.close()))
  }
})

it('the time of a message starts when the recipient accepts the request, and not when they read it before', async () => {
  const [ann, ben, admin] = await Promise.all([
    unlockedPerson(stack),
    unlockedPerson(stack),
    adminPerson(stack),
  ])
  await makePremium(admin, ann)
  await ben.client.ok(setConversationPreferences, { body: { asksFirst: true } })
  const { id } = await befriend(ann, ben)
  await ann.client.ok(sendMessage, { body: { conversationId: id, content: 'secret', vanishMs: shortMs } })
  const end = async () => (await ben.client.ok(listMessages, { params: { id } }))[0]?.vanishAt
  await eventually(async () => expect(await ben.client.ok(listMessages, { params: { id } })).toHaveLength(1))
  expect(await end()).toBeUndefined()
  await ben.client.ok(setConversationState, { params: { id }, body: { isAccepted: true } })
  expect(await end()).toEqual(expect.any(String))
})

it('what is due is erased before messaging answers, also when it takes several commands', async () => {
  const namespace = await openNamespace()
  const memberIds = [randomUUID(), randomUUID()] as const
  const due = { id: randomUUID(), memberIds, count: 2.5 * rowsAtOnce }
  const kept = { id: randomUUID(), memberIds, count: 1 }
  await withDatabase(namespace, 'messaging', async (database) => {
    for (const filling of [due, kept]) await fillConversation(database, filling)
    await database
      .collection('messages')
      .updateMany({ conversationId: due.id }, { $set: { vanishMs: shortMs, vanishAt: new Date() } })
  })
  const [port, internalPort] = await freePorts(2)
  const ports = { PORT: String(port), INTERNAL_PORT: String(internalPort) }
  const stop = await start({ ...namespace.environmentOf('messaging'), ...ports })
  try {
    const withContent = await withDatabase(namespace, 'messaging', (database) =>
      database.collection('messages').distinct('conversationId', { content: { $ne: '' } }),
    )
    expect(withContent).toEqual([kept.id])
  } finally {
    await stop('test')
    await namespace.close()
  }
})
