import { randomUUID } from 'node:crypto'
import { conversationDeleted, messageSent } from '@sumlock/contracts/messaging-events'
import { deleteConversation, sendMessage } from '@sumlock/contracts/messaging-routes'
import type { ServerEvent } from '@sumlock/contracts/socket'
import type { LiveConnection } from '@sumlock/sync/ports'
import { forgeEvent, untakenBy } from '@sumlock/testing/events'
import { befriend, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { connect, nextState } from '@sumlock/testing/socket'
import { eventually } from '@sumlock/testing/wait'

let stack: RunningStack
const opened: LiveConnection[] = []
beforeAll(async () => {
  stack = await sharedStack()
})
afterAll(() => {
  for (const live of opened) live.close()
})

/** The events that a person receives over a socket at one of the realtime processes. */
async function hearing({ user, client }: Person, index: number): Promise<ServerEvent[]> {
  const heard: ServerEvent[] = []
  const gatewayUrl = stack.service('realtime', index).publicUrl
  const at = Object.assign(Object.create(client) as typeof client, { gatewayUrl })
  const live = connect({ user, client: at })
  opened.push(live)
  live.subscribe({ onEvent: (event) => heard.push(event) })
  await nextState(live, ({ connected }) => connected)
  return heard
}
const typed = (events: ServerEvent[], type: ServerEvent['type']) =>
  events.filter((event) => event.type === type)
const messageIds = (events: ServerEvent[]) =>
  events.flatMap((event) => (event.type === 'new_message' ? [event.data.id] : []))
const deletionsOf = (conversationId: string, events: ServerEvent[]) =>
  events.filter(({ type, data }) => type === 'conversation_deleted' && data.conversationId === conversationId)
    .length

it('a message reaches the sockets of both processes once, and what Kafka brings reaches both', async () => {
  const [ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  const { id: conversationId } = await befriend(ann, ben)
  const ears = [await hearing(ann, 0), await hearing(ann, 1), await hearing(ben, 0), await hearing(ben, 1)]

  const ids: string[] = []
  for (const { client } of [ann, ben]) {
    const { id } = await client.ok(sendMessage, { body: { conversationId, content: 'hello' } })
    ids.push(id)
    await eventually(() => {
      for (const heard of ears) expect(new Set(messageIds(heard))).toEqual(new Set(ids))
    })
  }
  await ben.client.ok(deleteConversation, { params: { id: conversationId } })
  await eventually(() => {
    for (const heard of ears.slice(2)) expect(deletionsOf(conversationId, heard)).not.toBe(0)
  })
  // By then, the events of the messages have been read, too.
  await eventually(async () => expect(await untakenBy(stack, 'realtime', 'messaging.messages')).toBe(0))
  const copiesOf = (id: string) =>
    Math.max(...ears.map((heard) => messageIds(heard).filter((one) => one === id).length))
  // Kafka may repeat a message whose hint Redis answers late, but hardly both.
  expect(Math.min(...ids.map(copiesOf))).toBe(1)
  for (const heard of ears.slice(0, 2)) expect(typed(heard, 'conversation_deleted')).toHaveLength(0)
})

it('what Kafka delivers once reaches the sockets of both processes once', async () => {
  const ben = await unlockedPerson(stack)
  const ears = [await hearing(ben, 0), await hearing(ben, 1)]
  const copies: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const conversationId = randomUUID()
    await forgeEvent(stack, conversationDeleted, { conversationId, userId: ben.user.id }, 'messaging')
    const heardBy = () => ears.map((heard) => deletionsOf(conversationId, heard))
    await eventually(() => expect(Math.min(...heardBy())).not.toBe(0))
    await eventually(async () =>
      expect(await untakenBy(stack, 'realtime', 'messaging.conversations')).toBe(0),
    )
    copies.push(Math.max(...heardBy()))
  }
  // Kafka may deliver an event again, but hardly in each round.
  expect(Math.min(...copies)).toBe(1)
})

it('a message that only Kafka brings reaches nobody who is not shown it, and is late without content', async () => {
  const people = await Promise.all([unlockedPerson(stack), unlockedPerson(stack), unlockedPerson(stack)])
  const [ann, ben] = people
  const { id: conversationId } = await befriend(ann, ben)
  const ears = await Promise.all(people.map((person) => hearing(person, 0)))
  const memberIds = [ann.user.id, ben.user.id]
  const message = (seq: number, sentMs: number) => ({
    ...{ id: randomUUID(), conversationId, senderId: ann.user.id, seq, clientMessageId: randomUUID() },
    ...{ content: 'secret', messageType: 'text' as const, mediaUrl: null, isRead: false },
    createdAt: new Date(sentMs).toISOString(),
  })
  const hidden = { ...message(1, Date.now()), messageType: 'image' as const, isOnce: true as const }
  const late = { ...message(2, Date.now() - 30_000), vanishMs: 30_000 as const }
  await forgeEvent(stack, messageSent, { message: hidden, memberIds, isHidden: true }, 'messaging')
  await forgeEvent(stack, messageSent, { message: late, memberIds }, 'messaging')
  await eventually(() => {
    // Kafka may deliver an event twice.
    expect(ears.map((heard) => new Set(messageIds(heard)).size)).toEqual([2, 0, 0])
    expect(ears.map((heard) => typed(heard, 'conversation_changed').length > 0)).toEqual([false, true, false])
  })
  expect(JSON.stringify(ears)).not.toContain('secret')
})
