import { deleteConversation, sendMessage } from '@sumlock/contracts/messaging-routes'
import type { ServerEvent } from '@sumlock/contracts/socket'
import type { LiveConnection } from '@sumlock/sync/ports'
import { untakenBy } from '@sumlock/testing/events'
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

it('a message and what Kafka brings reach the sockets of both processes once', async () => {
  const [ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  const { id: conversationId } = await befriend(ann, ben)
  const ears = [await hearing(ann, 0), await hearing(ann, 1), await hearing(ben, 0), await hearing(ben, 1)]

  const { id } = await ann.client.ok(sendMessage, { body: { conversationId, content: 'hello' } })
  await eventually(() => {
    for (const heard of ears)
      expect(typed(heard, 'new_message').map(({ data }) => data)).toMatchObject([{ id }])
  })
  await ben.client.ok(deleteConversation, { params: { id: conversationId } })
  await eventually(() => {
    for (const heard of ears.slice(2)) expect(typed(heard, 'conversation_deleted')).toHaveLength(1)
  })
  // By then, the event of the message has been read, too.
  await eventually(async () => expect(await untakenBy(stack, 'realtime', 'messaging.messages')).toBe(0))
  for (const heard of ears) expect(typed(heard, 'new_message')).toHaveLength(1)
  for (const heard of ears.slice(0, 2)) expect(typed(heard, 'conversation_deleted')).toHaveLength(0)
})
