import { createBus } from '@sumlock/bus/bus'
import { kafkaAdmin } from '@sumlock/deployment/kafka-users'
import { on } from '@sumlock/bus/handler'
import { subscribe } from '@sumlock/bus/subscribe'
import type { Subscription } from '@sumlock/bus/subscribe'
import { messageSent } from '@sumlock/contracts/messaging-events'
import { listConversations, sendMessage } from '@sumlock/contracts/messaging-routes'
import { createLogger } from '@sumlock/service-kit/logger'
import type { Stack } from '@sumlock/dev/product/services'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { withDatabase } from '@sumlock/testing/database'
import { startTestStack } from '@sumlock/testing/engines'
import { adminPerson, befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'

let stack: Stack
let subscription: Subscription
let closeBus: () => Promise<void>
const announced = new Map<string, number>()

beforeAll(async () => {
  stack = await startTestStack({ replicas: { messaging: 2, notify: 0, realtime: 0 } })
  const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
  const bus = createBus({
    ...kafkaAdmin(stack.addresses),
    clientId: 'test',
    namespace: stack.namespace,
    logger,
  })
  const listen = on(messageSent, ({ id }) => {
    announced.set(id, (announced.get(id) ?? 0) + 1)
    return Promise.resolve()
  })
  subscription = subscribe(bus, { group: 'listener', handlers: [listen], onFatal: () => undefined })
  closeBus = () => bus.close()
  await subscription.ready
})
afterAll(async () => {
  await subscription?.stop()
  await closeBus?.()
  await stack?.stop()
})

const stored = (conversationId: string) =>
  withDatabase(stack, 'messaging', (database) =>
    database.collection('messages').find({ conversationId }).sort({ _id: 1 }).toArray(),
  )

it('publishes every stored message after both replicas were killed before publishing', async () => {
  const [ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await makePremium(await adminPerson(stack), ann)
  ann.client.keptToken = await ann.client.csrfToken()
  const { id } = await befriend(ann, ben)

  const acknowledged: string[] = []
  const replicas = [stack.service('messaging', 0), stack.service('messaging', 1)]
  let killed: Promise<unknown> | undefined
  const sends = Array.from({ length: 60 }, async (_, index) => {
    const body = { conversationId: id, content: `no. ${index}` }
    const answer = await ann.client.call(sendMessage, { body })
    if (answer.status !== 201) return
    acknowledged.push(answer.body.id)
    // The crash comes well before the second after which messages are marked as published.
    if (acknowledged.length === 20) killed = Promise.all(replicas.map((replica) => replica.kill('SIGKILL')))
  })
  await Promise.all(sends)
  await killed
  const left = (await stored(id)).filter(({ unpublished }) => unpublished === true)
  expect(left.length).toBeGreaterThan(0)

  await Promise.all(replicas.map((replica) => replica.start()))
  const records = await waitUntil('everything to be marked', async () => {
    const found = await stored(id)
    return found.every(({ unpublished }) => unpublished === undefined) && found
  })
  expect(records.map(({ seq }) => seq as number)).toEqual(records.map((_, index) => index + 1))
  const ids = records.map(({ messageId }) => messageId as string)
  expect(ids).toEqual(expect.arrayContaining(acknowledged))
  await waitUntil('every event', () => ids.every((messageId) => announced.has(messageId)))
  expect([...announced.keys()].sort()).toEqual([...ids].sort())

  const rows = await withDatabase(stack, 'messaging', (database) =>
    database.collection('members').find({ conversationId: id }).toArray(),
  )
  const newest = records.at(-1)
  expect(rows).toHaveLength(2)
  for (const row of rows)
    expect(row).toMatchObject({ activeAt: newest?.['createdAt'] as Date, newestSeq: records.length })
  const [listed] = await ben.client.ok(listConversations)
  const lastMessage = { content: newest?.['content'] as string }
  expect(listed).toMatchObject({ lastSeq: records.length, lastMessage })
})
