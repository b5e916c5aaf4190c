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

/** Registers a pair at the edge, each of them with an address of their own. */
export async function makePair(gatewayUrl: string): Promise<Pair> {
  const people = [
    await unlockedPerson(clientAt(gatewayUrl)),
    await unlockedPerson(clientAt(gatewayUrl)),
  ] as const
  const [buyer] = people
  await buyer.client.ok(upgrade)
  await waitUntil(
    'the premium subscription',
    async () => (await readUser(buyer.client)).subscriptionType === 'premium',
  )
  const { id: conversationId } = await befriend(...people)
  for (const { client } of people) client.keptToken = await client.csrfToken()
  return { people, conversationId }
}

/** Registers pairs one after the other, because auth hashes two passwords at a time. */
export async function makePairs(gatewayUrl: string, count: number): Promise<Pair[]> {
  const pairs: Pair[] = []
  while (pairs.length < count) pairs.push(await makePair(gatewayUrl))
  return pairs
}

const byte = () => Math.floor(Math.random() * 256)

const clientAt = (gatewayUrl: string): ClientOptions => ({
  gatewayUrl,
  origin: publicOrigin,
  // This network is reserved for tests of devices, so that it is no address of the cluster.
  headers: { [addressHeader]: `198.18.${byte()}.${byte()}` },
})
