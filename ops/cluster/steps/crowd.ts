import { upgrade } from '@sumlock/contracts/subscription-routes'
import type { ClientOptions } from '@sumlock/deployment/api-client'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { befriend, readUser, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { addressHeader, publicOrigin } from './edge.ts'

/** Two people and their conversation. The first one has premium, which lifts the daily limit for both. */
export interface Pair {
  people: readonly [Person, Person]
  conversationId: string
}

/** How people come to their accounts and to premium. */
export interface Arrivals {
  newPerson(): Promise<Person>
  givePremium(person: Person): Promise<void>
}

/** People register at the edge, each of them with an address of their own, and buy premium in the sandbox. */
export const arrivalsAt = (gatewayUrl: string): Arrivals => ({
  newPerson: () => unlockedPerson(clientAt(gatewayUrl)),
  async givePremium({ client }) {
    await client.ok(upgrade)
    await waitUntil(
      'the premium subscription',
      async () => (await readUser(client)).subscriptionType === 'premium',
    )
  },
})

export const makePair = (gatewayUrl: string): Promise<Pair> => pairOf(arrivalsAt(gatewayUrl))

export async function pairOf({ newPerson, givePremium }: Arrivals): Promise<Pair> {
  const people = [await newPerson(), await newPerson()] as const
  await givePremium(people[0])
  const { id: conversationId } = await befriend(...people)
  for (const { client } of people) client.keptToken = await client.csrfToken()
  return { people, conversationId }
}

/** Makes pairs one after the other, because auth hashes two passwords at a time. */
export async function makePairs(arrivals: Arrivals, count: number): Promise<Pair[]> {
  const pairs: Pair[] = []
  while (pairs.length < count) pairs.push(await pairOf(arrivals))
  return pairs
}

const byte = () => Math.floor(Math.random() * 256)

const clientAt = (gatewayUrl: string): ClientOptions => ({
  gatewayUrl,
  origin: publicOrigin,
  // This network is reserved for tests of devices, so that it is no address of the cluster.
  headers: { [addressHeader]: `198.18.${byte()}.${byte()}` },
})
