import { listConversations } from '@sumlock/contracts/messaging-routes'
import { waitUntil } from '@sumlock/deployment/wait-until'
import type { ConversationView } from '@sumlock/sync/conversation-view'
import { openDevice } from './device.ts'
import type { Device } from './device.ts'
import { befriend, makePremium, unlockedPerson } from './people.ts'
import type { Person } from './people.ts'
import { nextState } from './socket.ts'
import type { RunningStack } from './shared-stack.ts'

/** A person before an open chat. */
export interface Seat {
  person: Person
  conversationId: string
  device: Device
  view: ConversationView
}

/** Two people, one of them premium, each with a connected device and their conversation on the screen. */
export async function seatPair(stack: RunningStack, admin: Person): Promise<[Seat, Seat]> {
  const first = await unlockedPerson(stack)
  const second = await unlockedPerson(stack)
  await makePremium(admin, first)
  const { id: conversationId } = await befriend(first, second)
  // Until then messaging asks billing, which a test may kill.
  await waitUntil('messaging to know who is premium', async () => {
    const [conversation] = await first.client.ok(listConversations)
    return conversation?.unlimited === true
  })
  const sit = async (person: Person): Promise<Seat> => {
    const device = openDevice(person)
    const view = device.open(conversationId)
    await nextState(device.live, ({ connected }) => connected)
    return { person, conversationId, device, view }
  }
  return [await sit(first), await sit(second)]
}

/** Several pairs, one after the other: all at once is more than a small machine answers in time. */
export async function seatPairs(stack: RunningStack, admin: Person, count: number): Promise<Seat[]> {
  const seats: Seat[] = []
  for (let pair = 0; pair < count; pair += 1) seats.push(...(await seatPair(stack, admin)))
  return seats
}
