import { randomUUID } from 'node:crypto'
import { userPurgeRequested } from '@sumlock/contracts/auth-events'
import { getUser } from '@sumlock/contracts/auth-routes'
import { grantPremium } from '@sumlock/contracts/billing-routes'
import { subscriptionActivated, subscriptionEnded } from '@sumlock/contracts/billing-events'
import type { EventContract } from '@sumlock/contracts/event'
import { acknowledgePurge } from '@sumlock/contracts/internal-routes'
import { listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import {
  getNotificationPreferences,
  setNotificationPreferences,
} from '@sumlock/contracts/notification-routes'
import type { DatabaseOwner } from '@sumlock/deployment/provision'
import type { ServiceName } from '@sumlock/deployment/service-environment'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { createInternalClient } from '@sumlock/service-kit/internal-client'
import { withDatabase } from '@sumlock/testing/database'
import { forgeEvent, untakenBy } from '@sumlock/testing/events'
import { adminPerson, befriend, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { scrape, sumOf } from '@sumlock/testing/scrape'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

/** Counts the events of a type that the replicas of a service did not confirm with their owner. */
async function unconfirmed(service: ServiceName, { type }: EventContract): Promise<number> {
  const replicas = stack.services.filter((one) => one.service === service)
  const samples = (await Promise.all(replicas.map(scrape))).flat()
  return sumOf(samples, 'unconfirmed_records_total', { type })
}

/** Writes an event directly to Kafka and waits until these services have rejected it. */
async function forge<E extends EventContract>(
  event: E,
  data: object,
  { source, readers }: { source: ServiceName; readers: readonly ServiceName[] },
): Promise<void> {
  const before = await Promise.all(readers.map((reader) => unconfirmed(reader, event)))
  await forgeEvent(stack, event, data, source)
  for (const [index, reader] of readers.entries())
    await waitUntil(
      `the count of ${reader}`,
      async () => (await unconfirmed(reader, event)) > (before[index] ?? 0),
    )
}

const say = ({ client }: Person, conversationId: string, content: string) =>
  client.call(sendMessage, { body: { conversationId, content } })
const rowsOf = (database: DatabaseOwner, name: string, filter: object) =>
  withDatabase(stack, database, async (connection): Promise<Record<string, unknown>[]> =>
    connection.collection(name).find(filter).toArray(),
  )

const projectionOf = async (userId: string) => (await rowsOf('messaging', 'entitlements', { _id: userId }))[0]
/** Grants premium, and waits until messaging has it. */
async function grant(userId: string): Promise<void> {
  const { client } = await adminPerson(stack)
  await client.ok(grantPremium, { body: { userId, days: 1 } })
  await waitUntil('the projection of messaging', async () => !!(await projectionOf(userId))?.['premiumUntil'])
}
/** Waits until messaging has consumed the events of billing and has read its list afterwards. */
async function messagingHasReadBilling(): Promise<void> {
  await waitUntil(
    'the events of billing',
    async () => (await untakenBy(stack, 'messaging', 'billing.subscriptions')) === 0,
  )
  await grant((await unlockedPerson(stack)).user.id)
}

it('a record that says a person has premium gives none', async () => {
  const [ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  const { id } = await befriend(ann, ben)
  expect((await say(ann, id, 'my free message')).status).toBe(201)
  const userId = ann.user.id
  const inTenYears = new Date(Date.now() + 3650 * 86_400_000).toISOString()
  const claimed = { subscriptionType: 'premium', subscriptionExpiresAt: inTenYears }
  for (const version of [0, 1, 2 ** 40])
    await forgeEvent(stack, subscriptionActivated, { ...claimed, userId, version } as never, 'billing')
  await messagingHasReadBilling()
  expect(await say(ann, id, 'one more')).toMatchObject({ status: 402 })
  expect(await say(ben, id, 'of the partner')).toMatchObject({ status: 201 })
  expect(await say(ben, id, 'one more of the partner')).toMatchObject({ status: 402 })
  const [row] = await rowsOf('messaging', 'entitlements', { _id: userId })
  expect(row?.['premiumUntil'] ?? null).toBeNull()
})

it('a record that says premium is longer, or has ended, changes neither', async () => {
  const [ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  const { id } = await befriend(ann, ben)
  const userId = ann.user.id
  await grant(userId)
  const granted = await projectionOf(userId)
  const version = Number(granted?.['version'])
  const inTenYears = new Date(Date.now() + 3650 * 86_400_000).toISOString()
  const longer = { subscriptionType: 'premium', subscriptionExpiresAt: inTenYears, userId, version }
  await forgeEvent(stack, subscriptionActivated, longer as never, 'billing')
  const ended = { subscriptionType: 'free', subscriptionExpiresAt: null, userId, version: version + 1 }
  await forgeEvent(stack, subscriptionEnded, ended as never, 'billing')
  await messagingHasReadBilling()
  const { premiumUntil, version: stored } = (await projectionOf(userId)) ?? {}
  expect({ premiumUntil, version: stored }).toEqual({ premiumUntil: granted?.['premiumUntil'], version })
  for (const content of ['first', 'second'])
    expect(await say(ann, id, content)).toMatchObject({ status: 201 })
})

it('a record that says a person was deleted erases nothing in any service, and is counted', async () => {
  const [ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  const { id } = await befriend(ann, ben)
  const userId = ann.user.id
  await grant(userId)
  await ann.client.ok(setNotificationPreferences, { body: { signInMails: false } })
  expect(await say(ann, id, 'a word of Ann')).toMatchObject({ status: 201 })
  const readers = ['messaging', 'billing', 'notify'] as const
  for (let times = 0; times < 2; times += 1)
    await forge(userPurgeRequested, { userId }, { source: 'auth', readers })

  for (const { client: reader } of [ann, ben])
    expect((await reader.ok(listMessages, { params: { id } })).map(({ content }) => content)).toEqual([
      'a word of Ann',
    ])
  expect(await say(ben, id, 'a word of Ben')).toMatchObject({ status: 201 })
  expect(await rowsOf('billing', 'grants', { userId })).toHaveLength(1)
  expect(await ann.client.ok(getNotificationPreferences)).toEqual({ signInMails: false })
  expect(await ann.client.ok(getUser)).toMatchObject({ id: userId, subscriptionType: 'premium' })
  for (const owner of ['messaging', 'billing'] as const)
    await waitUntil(`the end of the job of ${owner}`, async () => {
      return (await rowsOf(owner, 'jobs', { subject: userId })).length === 0
    })
})

it('a service acknowledges a purge for itself alone, whatever it sends', async () => {
  const userId = randomUUID()
  const insert = { _id: userId as never, purgedAt: new Date(), publishedAt: new Date() }
  await withDatabase(stack, 'auth', (connection) => connection.collection('purged_ids').insertOne(insert))
  const as = (caller: 'notify' | 'realtime') => {
    const secret = stack.secrets.internalSecrets[caller]
    return createInternalClient({ caller, secret, baseUrls: [stack.service('auth').internalUrl] })
  }
  await as('notify').call(acknowledgePurge, { params: { userId } })
  const refused = as('realtime').call(acknowledgePurge, { params: { userId } })
  await expect(refused).rejects.toMatchObject({ kind: 'forbidden' })
  const [row] = await rowsOf('auth', 'purged_ids', { _id: userId })
  expect(row?.['acknowledgedBy']).toEqual(['notify'])
})
