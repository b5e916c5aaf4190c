import { setTimeout as wait } from 'node:timers/promises'
import type { Stack } from '@sumlock/stack/services'
import type { ConversationView } from '@sumlock/sync/conversation-view'
import { withDatabase } from '@sumlock/testing/database'
import { openDevice } from '@sumlock/testing/device'
import type { Device } from '@sumlock/testing/device'
import { startTestStack } from '@sumlock/testing/engines'
import { adminPerson, befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import { nextState } from '@sumlock/testing/socket'
import { eventually } from '@sumlock/testing/wait'

const pairs = 20
const messagesPerPerson = 25
const total = pairs * 2 * messagesPerPerson
/** Pause between two messages of one person: together 100 a second, so that the outage falls into the sending. */
const paceMs = 400

let stack: Stack
beforeAll(async () => {
  stack = await startTestStack({ replicas: { messaging: 2, realtime: 2 } })
})
const devices: Device[] = []
afterAll(async () => {
  for (const device of devices) device.close()
  await stack.stop()
})

interface Seat {
  userId: string
  conversationId: string
  device: Device
  view: ConversationView
}

interface StoredMessage {
  messageId: string
  conversationId: string
  senderId: string
  seq: number
  clientMessageId: string
  content: string
}

async function seatPair(admin: Awaited<ReturnType<typeof adminPerson>>): Promise<Seat[]> {
  const people = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await makePremium(admin, people[0])
  const { id: conversationId } = await befriend(...people)
  return Promise.all(
    people.map(async (person) => {
      const device = openDevice(person)
      devices.push(device)
      const view = device.open(conversationId)
      await nextState(device.live, ({ connected }) => connected)
      return { userId: person.user.id, conversationId, device, view }
    }),
  )
}

const storedMessages = () =>
  withDatabase(stack, 'messaging', (database) =>
    database.collection('messages').find<StoredMessage>({}).sort({ _id: 1 }).toArray(),
  )

it('1,000 messages while realtime is killed and started: stored once, dense, and on every screen as in the database', async () => {
  const admin = await adminPerson(stack)
  const seats = (await Promise.all(Array.from({ length: pairs }, () => seatPair(admin)))).flat()
  const acknowledged: string[] = []
  for (const { device } of seats) device.outbox.onStored(({ id }) => acknowledged.push(id))
  const acknowledgedReach = (count: number) =>
    eventually(() => expect(acknowledged.length).toBeGreaterThanOrEqual(count), { timeoutMs: 60_000 })
  const realtime = stack.services.filter(({ service }) => service === 'realtime')

  const outage = async () => {
    await acknowledgedReach(0.3 * total)
    await Promise.all(realtime.map((instance) => instance.kill('SIGKILL')))
    await acknowledgedReach(0.6 * total)
    await Promise.all(realtime.map((instance) => instance.start()))
    await Promise.all(seats.map(({ device }) => nextState(device.live, ({ connected }) => connected)))
    return acknowledged.length
  }
  const sending = seats.map(async ({ view }, seat) => {
    for (let number = 1; number <= messagesPerPerson; number += 1) {
      view.send({ messageType: 'text', content: `${seat}/${number}` })
      await wait(paceMs)
    }
  })
  await Promise.all([outage(), ...sending])
  await acknowledgedReach(total)

  const stored = await storedMessages()
  expect(stored).toHaveLength(total)
  expect(new Set(stored.map(({ messageId }) => messageId))).toEqual(new Set(acknowledged))
  expect(acknowledged).toHaveLength(total)
  for (const { userId, conversationId, view } of seats) {
    const ofConversation = stored.filter((message) => message.conversationId === conversationId)
    expect(ofConversation.map(({ seq }) => seq)).toEqual(ofConversation.map((_, index) => index + 1))
    const own = ofConversation.filter(({ senderId }) => senderId === userId)
    // One person's messages keep the order in which they were written.
    expect(own.map(({ content }) => Number(content.split('/')[1]))).toEqual(own.map((_, index) => index + 1))
    const expected = ofConversation.map((message) => [message.seq, message.messageId, message.content])
    await eventually(() =>
      expect(view.getState().messages.map(({ seq, id, content }) => [seq, id, content])).toEqual(expected),
    )
    expect(view.getState().pending).toEqual([])
  }

  const sum = (source: 'receivedBySocket' | 'receivedByFetch') =>
    seats.reduce((count, { view }) => count + view.stats[source], 0)
  const counts = { bySocket: sum('receivedBySocket'), byFetch: sum('receivedByFetch') }
  process.stdout.write(`  received by socket: ${counts.bySocket}, by fetch: ${counts.byFetch}\n`)
  expect(counts.bySocket).toBeGreaterThan(0)
  expect(counts.byFetch).toBeGreaterThan(0)
}, 120_000)
