import { randomUUID } from 'node:crypto'
import { createLogger } from '@sumlock/service-kit/logger'
import { connectMongo } from '@sumlock/service-kit/mongo'
import { databaseUrl } from '@sumlock/deployment/provision'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { Connection } from 'mongoose'
import { createEntitlementStore } from '../src/stores/entitlement-store.ts'
import type { EntitlementStore } from '../src/stores/entitlement-store.ts'

let connection: Connection
let store: EntitlementStore
beforeAll(async () => {
  const { addresses, secrets, namespace } = await sharedStack()
  const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
  connection = await connectMongo(databaseUrl(addresses, secrets, namespace, 'messaging'), logger)
  store = createEntitlementStore(connection)
})
afterAll(() => connection?.close())

const premium = (userId: string, version: number) => ({
  userId,
  subscriptionType: 'premium' as const,
  subscriptionExpiresAt: '2030-01-01T00:00:00.000Z',
  version,
})

it.each<[string, (userId: string) => Promise<unknown>]>([
  ['premium', (userId) => store.save(premium(userId, 2))],
  ['an account that is going', (userId) => store.savePerson({ userId, version: 1, isLeaving: true })],
  ['a newer key', (userId) => store.raiseKeyEpoch(userId, 5)],
  ['whether others ask first', (userId) => store.setPreferences(userId, { asksFirst: true })],
  ['read receipts', (userId) => store.setPreferences(userId, { showsRead: false })],
])('another replica learns of %s, of a known person and of a new one', async (_what, write) => {
  const [known, unknown] = [randomUUID(), randomUUID()]
  await store.save(premium(known, 1))
  // Moves the change into the distant past.
  const rows = connection.collection<{ _id: string }>('entitlements')
  await rows.updateOne({ _id: known }, { $unset: { changedAt: '' } })
  const changes = store.followChanges()
  expect(await changes()).not.toContain(known)
  await write(known)
  await write(unknown)
  const changed = await changes()
  expect(changed).toContain(known)
  expect(changed).toContain(unknown)
})
