import type { Stack } from '@sumlock/stack/services'
import type { LiveConnection } from '@sumlock/sync/ports'
import { adminPerson, befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { connect, nextState } from '@sumlock/testing/socket'

export interface Seat {
  person: Person
  live: LiveConnection
  conversationId: string
}

const atOnce = 5

/** Registers pairs who may write without limit, and connects both sides of each. */
export async function seatPairs(stack: Stack, count: number): Promise<[Seat, Seat][]> {
  const admin = await adminPerson(stack)
  const pairs: [Seat, Seat][] = []
  while (pairs.length < count) {
    const batch = Array.from({ length: Math.min(atOnce, count - pairs.length) }, () => seatPair(stack, admin))
    pairs.push(...(await Promise.all(batch)))
  }
  return pairs
}

async function seatPair(stack: Stack, admin: Person): Promise<[Seat, Seat]> {
  const [ann, bob] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await makePremium(admin, ann)
  const { id: conversationId } = await befriend(ann, bob)
  const seat = async (person: Person): Promise<Seat> => {
    person.client.keptToken = await person.client.csrfToken()
    const live = connect(person)
    await nextState(live, ({ connected }) => connected)
    return { person, live, conversationId }
  }
  return Promise.all([seat(ann), seat(bob)])
}
